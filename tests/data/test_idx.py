"""The IDX format."""

import numpy as np
import pytest

from nalm.data.idx import read_idx


def test_numbers_come_in_the_shape_of_the_header() -> None:
    content = bytes([0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, *range(24)])
    assert (read_idx(content) == np.arange(24).reshape(2, 3, 4)).all()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<html>", "does not start as an IDX file"),
        (bytes([0, 0, 8, 3, 0, 0]), "ends inside its header"),
        (bytes([0, 0, 8, 1, 0, 0, 0, 3, 7]), "should hold 3 numbers and holds 1"),
    ],
)
def test_what_is_no_idx_file_is_named(content: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_idx(content)
