"""Published rates beside ours."""

from nalm.measuring.counts import Count
from nalm.studies.published_rate import PublishedRate, published_rate
from nalm.studies.single_module import SINGLE_MODULE
from nalm.studies.study import Cell, Selection


def cell(unit: str, operation: str, label: str, inputs: int = 2) -> Cell:
    (found,) = SINGLE_MODULE.select(Selection((unit,), (operation,), (label,), (inputs,)))
    return found


def test_the_published_rate_of_a_cell() -> None:
    rate = published_rate(SINGLE_MODULE, cell("NMU", "mul", "[-2, -1)"))
    assert rate is not None
    assert (rate.value, rate.relation, rate.threshold, rate.seeds) == (0.8, "=", "adaptive", 25)


def test_variants_have_their_own_record() -> None:
    for unit, expected in (("MulMCFC", 0.0), ("MulMCFC (mixed sign)", 1.0)):
        (found,) = (
            c for c in SINGLE_MODULE.select(Selection((unit,), ("mul",), ("[-2, -1)",))) if c.unit == unit
        )
        rate = published_rate(SINGLE_MODULE, found)
        assert rate is not None
        assert rate.value == expected


def test_some_studies_judged_by_a_flat_threshold() -> None:
    rate = published_rate(SINGLE_MODULE, cell("NRU", "div", "[1, 2)"))
    assert rate is not None
    assert rate.threshold == "flat"


def test_no_record() -> None:
    assert published_rate(SINGLE_MODULE, cell("stgNMU", "mul", "[1, 2)")) is None
    assert published_rate(SINGLE_MODULE, cell("NAU", "add", "[1, 2)", inputs=10)) is None


def test_verdict_by_interval_and_test() -> None:
    published = PublishedRate(1.0, "=", "somewhere", "adaptive", 25)
    assert published.verdict(Count(25, 25)) == "agrees"
    assert published.verdict(Count(24, 25)) == "undecided"
    assert published.verdict(Count(20, 25)) == "differs"
    assert published.verdict(Count(0, 0)) == "no record"


def test_a_bound_is_met_from_above() -> None:
    at_least = PublishedRate(0.4, ">=", "somewhere", "adaptive", 25)
    assert at_least.verdict(Count(25, 25)) == "agrees"
    assert at_least.verdict(Count(0, 25)) == "differs"
