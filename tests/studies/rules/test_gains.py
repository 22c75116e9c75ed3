"""Where something helps more than elsewhere."""

from made_up import Cell, MadeUp

from nalm.studies.claims import Place, Verdict, decided
from nalm.studies.rules import LargerGain

A, B, C, D = (Place("study", unit, "mul", "[1, 2)") for unit in "ABCD")
RULE = LargerGain(((A,), (B,)), ((C,), (D,)))


def verdict(*shares: float, **how) -> Verdict:
    cells = {place: Cell(share) for place, share in zip((A, B, C, D), shares, strict=True)}
    return decided(RULE, MadeUp(cells, **({"seeds": 25} | how))).verdict


def test_the_gain_is_larger_the_same_or_smaller() -> None:
    assert verdict(1.0, 0.2, 1.0, 0.8) == "reproduced"
    assert verdict(1.0, 0.8, 1.0, 0.2) == "not reproduced"
    assert verdict(1.0, 0.0, 1.0, 0.0, seeds=200) == "not reproduced"


def test_gains_of_different_levels_are_compared_not_levels() -> None:
    assert verdict(0.4, 0.0, 1.0, 0.96) == "reproduced"


def test_few_seeds_and_few_iterations_decide_nothing() -> None:
    assert verdict(1.0, 0.5, 1.0, 0.75, seeds=4) == "undecided"
    assert verdict(1.0, 0.0, 1.0, 1.0, iterations=5000) == "undecided"
    assert verdict(1.0, 0.0, 1.0, 1.0, seeds=1) == "undecided"


def test_the_finding_names_both_gains() -> None:
    cells = {A: Cell(1.0), B: Cell(0.2), C: Cell(1.0), D: Cell(0.8)}
    finding = decided(RULE, MadeUp(cells, seeds=25))
    assert "study: A on mul, 1 cells and study: B on mul, 1 cells: +0.80" in finding.evidence[-1]
    assert "difference +0.60" in finding.evidence[-1]
