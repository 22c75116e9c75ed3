"""Filters on the command line."""

import pytest

from nalm.commands.options import seeds_of, selection_of
from nalm.studies.study import Selection


def test_seeds() -> None:
    assert seeds_of(None) is None
    assert seeds_of("2") == [0, 1]
    assert seeds_of("5:8") == [5, 6, 7]
    assert seeds_of("17,3,3") == [3, 17]


@pytest.mark.parametrize("text", ["a", "1:b", "0", "8:5", "-3:2", "3,", "-1,2"])
def test_no_seeds(text: str) -> None:
    with pytest.raises(ValueError, match="seed"):
        seeds_of(text)


def test_what_is_not_named_is_not_filtered() -> None:
    assert selection_of(None, None, None, None) == Selection()
    assert selection_of(["NMU"], ["mul"], None, [2]).units == ("NMU",)
