"""Studies by name."""

import pytest

from nalm.studies.catalogue import STUDIES, find_study


def test_names_are_their_own() -> None:
    assert all(find_study(name).name == name for name in STUDIES)


def test_an_unknown_study_lists_those_there_are() -> None:
    with pytest.raises(
        ValueError,
        match=r"unknown study 'double-module'; did you mean 'single-module'.*`nalm studies`",
    ):
        find_study("double-module")
