"""Published rates beside ours."""

from nalm.measuring import success_rate
from nalm.studies.comparison import PublishedRate, published_rate
from nalm.studies.single_module import SINGLE_MODULE
from nalm.studies.study import Cell, Selection


def cell(unit: str, operation: str, label: str, inputs: int = 2) -> Cell:
    (found,) = SINGLE_MODULE.select(Selection((unit,), (operation,), (label,), (inputs,)))
    return found


def solved(share: float, runs: int = 25) -> list[bool]:
    return [index < share * runs for index in range(runs)]


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


def test_verdict_by_overlap_of_intervals() -> None:
    published = PublishedRate(0.8, "=", "somewhere", "adaptive", 25)  # [0.61, 0.91]
    assert published.verdict(success_rate(solved(0.8))) == "agrees"
    assert published.verdict(success_rate(solved(1.0))) == "agrees"  # [0.87, 1]
    assert published.verdict(success_rate(solved(0.2))) == "differs"  # [0.09, 0.39]
    assert published.verdict(success_rate([])) == "no record"


def test_a_bound_is_met_from_above() -> None:
    at_least = PublishedRate(0.4, ">=", "somewhere", "adaptive", 25)  # low end 0.23
    assert at_least.verdict(success_rate(solved(1.0))) == "agrees"
    assert at_least.verdict(success_rate(solved(0.0))) == "differs"  # [0, 0.13]
