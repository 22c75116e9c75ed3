"""Medians of solved-at, and mean errors."""

from made_up import Cell, MadeUp

from nalm.studies.claims import Place, Verdict, decided
from nalm.studies.rules import MeanErrors, MedianSolvedAt

A = Place("study", "A", "mul", "[1, 2)")
NMU = Place("two-layer", "NMU", "mul", "[1, 2)")


def verdict(rule, cells: dict[Place, Cell], **how) -> Verdict:
    return decided(rule, MadeUp(cells, **how)).verdict


def test_medians_within_a_quarter_are_the_same() -> None:
    rule = MedianSolvedAt(A, 14_000, "published", 94)
    assert verdict(rule, {A: Cell(0.94, 14_000.0)}) == "reproduced"
    assert verdict(rule, {A: Cell(0.94, 40_000.0)}) == "not reproduced"


def test_a_printed_median_is_rounded() -> None:
    # 14,400 is printed as 14,000: rounding alone must not tell it apart.
    assert verdict(MedianSolvedAt(A, 14_000, "published", 94), {A: Cell(0.94, 14_450.0)}) == "reproduced"


def test_few_solved_runs_are_too_few() -> None:
    finding = decided(MedianSolvedAt(A, 14_000, "published", 94), MadeUp({A: Cell(0.05, 14_000.0)}))
    assert finding.verdict is Verdict.UNDECIDED
    assert "5 solved runs: too few" in finding.evidence[0]


def test_exact_medians_of_the_published_runs_are_used() -> None:
    finding = decided(MedianSolvedAt(NMU, 1.4e6, "published", 98), MadeUp({NMU: Cell(0.98, 1_434_500.0)}))
    assert finding.verdict is Verdict.REPRODUCED
    assert "published 1,434,500" in finding.evidence[0]


def test_mean_errors_within_a_factor_of_two() -> None:
    places = tuple(Place("composition", f"network {k}", "add-mul", "[1, 2)") for k in range(6))
    rule = MeanErrors(tuple(((place,), 10.0**k) for k, place in enumerate(places)), "test")

    def errors(factor: float, jitter: float = 1.0) -> dict[Place, Cell]:
        return {p: Cell(0.0, error=factor * 10.0**k * jitter ** (-1) ** k) for k, p in enumerate(places)}

    assert verdict(rule, errors(1.1, 1.2)) == "reproduced"
    assert verdict(rule, errors(9.0, 1.2)) == "not reproduced"
    assert verdict(rule, errors(1.0, 9.0)) == "undecided"
