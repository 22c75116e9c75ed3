import pytest

from nalm.units.option_checks import one_of


def test_allowed_value_comes_back():
    assert one_of("shape", "b", {"a": 1, "b": 2}) == "b"


def test_other_value_is_named_with_its_alternatives():
    with pytest.raises(ValueError, match="shape must be 'a' or 'b', got 'c'"):
        one_of("shape", "c", ["a", "b"])
