"""Published rates: the same, another, or not to be told."""

import pytest
from made_up import Cell, MadeUp

from nalm.studies.claims import Place, Verdict, decided
from nalm.studies.published_rate import PublishedRate
from nalm.studies.published_runs import solved_by
from nalm.studies.rules import Pooled, SameCurve, SameRate, full, none

A, B = (Place("study", unit, "mul", "[1, 2)") for unit in "AB")
NMU, NAU = Place("two-layer", "NMU", "mul", "[1, 2)"), Place("two-layer", "NAU", "add", "[1, 2)")


def rate(value: float, seeds: int = 100, place: Place = A, relation: str = "=") -> SameRate:
    return SameRate(place, PublishedRate(value, relation, "somewhere", "published", seeds))


def verdict(rule, shares: dict[Place, float], **how) -> Verdict:
    return decided(rule, MadeUp({place: Cell(share) for place, share in shares.items()}, **how)).verdict


@pytest.mark.parametrize(
    ("published", "seeds", "ours", "of", "expected"),
    [
        (0.31, 100, 0.31, 100, "reproduced"),
        (0.31, 100, 0.80, 100, "not reproduced"),
        (0.31, 100, 0.40, 25, "undecided"),
        (1.0, 25, 1.0, 25, "reproduced"),
        (1.0, 25, 0.96, 25, "undecided"),  # one failure is no evidence against always,
        (1.0, 25, 0.80, 25, "not reproduced"),
        (0.0, 25, 0.04, 25, "undecided"),  # and one success none against never
        (0.0, 25, 0.20, 25, "not reproduced"),
        (0.48, 25, 0.48, 1000, "undecided"),
    ],
)
def test_a_rate(published: float, seeds: int, ours: float, of: int, expected: str) -> None:
    assert verdict(rate(published, seeds), {A: ours}, seeds=of) == expected


def test_undecided_says_what_would_decide_it() -> None:
    few = decided(rate(0.31), MadeUp({A: Cell(0.31)}, seeds=26, published_seeds=26))
    assert few.verdict is Verdict.UNDECIDED
    assert few.needs.startswith("about ")
    hopeless = decided(rate(0.48, 25), MadeUp({A: Cell(0.48)}, seeds=100))
    assert hopeless.needs == "no number of our seeds decides it: the published 25 runs are too few"


def test_both_margins_are_reported() -> None:
    close = decided(rate(1.0), MadeUp({A: Cell(1.0)}))
    assert "within ±0.10" in close.evidence[0]
    near = decided(rate(0.5, 200), MadeUp({A: Cell(0.55)}, seeds=200))
    assert near.verdict is Verdict.REPRODUCED
    assert "within" not in near.evidence[0]


def test_at_least_is_a_bound() -> None:
    rule = rate(0.4, 25, relation=">=")
    assert verdict(rule, {A: 0.9}, seeds=25) == "reproduced"
    assert verdict(rule, {A: 0.0}, seeds=25) == "not reproduced"
    assert verdict(rule, {A: 0.32}, seeds=25) == "undecided"


def test_fewer_seeds_with_enough_power_are_consistent_at_most() -> None:
    how = {"published_seeds": 100}
    assert verdict(rate(0.93), {A: 0.95}, seeds=20, **how) == "consistent"
    assert verdict(rate(0.93), {A: 0.4}, seeds=20, **how) == "not reproduced"
    assert verdict(rate(0.93), {A: 1.0}, seeds=5, **how) == "undecided"


def test_cut_runs_that_solved_less_prove_nothing_but_more_does() -> None:
    assert verdict(rate(0.9), {A: 0.2}, iterations=5000) == "undecided"
    assert verdict(rate(0.2), {A: 0.9}, iterations=5000) == "not reproduced"


def test_cut_runs_are_compared_with_the_published_ones_up_to_then() -> None:
    # By iteration 1,500,000 most published runs of the NMU were solved, of 98 in the end.
    by_then = solved_by(NMU, 1_500_000)
    assert by_then is not None
    assert 49 < by_then.solved < 75
    short = decided(rate(0.98, place=NMU), CutTo(1_500_000, {NMU: Cell(by_then.share, 1_400_000.0)}))
    assert short.verdict is Verdict.CONSISTENT, short
    assert f"published {by_then} by then" in short.evidence[0]


def test_before_half_of_the_published_solutions_nothing_is_compared() -> None:
    # By iteration 1,200,000 one published run of the NMU in 100 was solved.
    short = decided(rate(0.98, place=NMU), CutTo(1_200_000, {NMU: Cell(0.01, 1_000_000.0)}))
    assert short.verdict is Verdict.UNDECIDED, short


def test_runs_that_are_all_solved_were_not_cut() -> None:
    # By iteration 50,000 only 94 of 100 published runs of the NAU were solved, in the end all.
    found = decided(rate(1.0, place=NAU), CutTo(50_000, {NAU: Cell(1.0, 17_000.0)}))
    assert found.verdict is Verdict.CONSISTENT, found
    # That exception came after the first runs had been seen, so its rule of before stays beside it.
    assert found.beside == "not reproduced by the rule as first written"
    curve = decided(SameCurve((rate(1.0, place=NAU),)), CutTo(50_000, {NAU: Cell(1.0, 17_000.0)}))
    assert (curve.verdict, curve.beside) == (Verdict.CONSISTENT, found.beside)
    whole = decided(rate(1.0, place=NAU), CutTo(5_000_000, {NAU: Cell(1.0, 17_000.0)}))
    assert (whole.verdict, whole.beside) == (Verdict.REPRODUCED, "")


def test_a_failure_so_far_is_not_a_failure() -> None:
    assert verdict(rate(0.0), {A: 0.0}, iterations=5000) == "undecided"
    assert verdict(rate(1.0), {A: 1.0}, iterations=5000) == "consistent"
    assert verdict(Pooled((A, B), 0.0, "flat", seeds=50), {A: 0.0, B: 0.0}, iterations=5000) == "undecided"
    assert (
        verdict(SameCurve((rate(0.0), rate(0.0, place=B))), {A: 0.0, B: 0.0}, iterations=5000) == "undecided"
    )


class CutTo(MadeUp):
    def __init__(self, iterations: int, cells: dict[Place, Cell]) -> None:
        super().__init__(cells, iterations=iterations)

    def effort(self, place: Place):
        import dataclasses

        return dataclasses.replace(super().effort(place), published_iterations=5_000_000)


def test_pooled_cells_count_together() -> None:
    rule = Pooled((A, B), 0.5, "flat", seeds=50)
    assert verdict(rule, {A: 1.0, B: 0.0}) == "reproduced"
    assert verdict(rule, {A: 1.0, B: 1.0}) == "not reproduced"
    assert verdict(rule, {A: 1.0}) == "not yet run"


class MoreSeedsOf(MadeUp):
    def outcomes(self, place: Place, threshold: str | None = None):
        runs = super().outcomes(place, threshold)
        return runs if place == B else {seed: run for seed, run in runs.items() if seed < 50}


def test_a_cell_with_more_seeds_weighs_no_more() -> None:
    found = decided(Pooled((A, B), 0.5, "flat", seeds=50), MoreSeedsOf({A: Cell(1.0), B: Cell(0.0)}))
    assert found.verdict is Verdict.REPRODUCED
    assert found.beside == "not reproduced by the rule as first written"
    assert "together 50 of 100" in found.evidence[-1]


def test_a_curve_is_one_test_and_opposite_differences_do_not_cancel() -> None:
    places = tuple(Place("study", "A", "mul", f"hidden {k}") for k in range(2, 10))
    rule = SameCurve(tuple(rate(k / 8, 50, place) for k, place in enumerate(places)))
    right = {place: k / 8 for k, place in enumerate(places)}
    assert verdict(rule, right, seeds=50) == "reproduced"
    assert verdict(rule, {place: 1 - share for place, share in right.items()}, seeds=50) == "not reproduced"
    assert verdict(rule, {place: share * 0.6 for place, share in right.items()}, seeds=50) == "not reproduced"
    most = dict(list(right.items())[:5])
    assert verdict(rule, most, seeds=50) == "consistent"
    assert verdict(rule, dict(list(right.items())[:3]), seeds=50) == "not yet run"


def test_always_and_never() -> None:
    assert full(A).published.count.solved == 25
    assert none(A).published.count.solved == 0
