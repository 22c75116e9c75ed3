"""Better, best, and no better."""

import dataclasses

from made_up import Cell, MadeUp

from nalm.studies.claims import Effort, Place, Verdict, decided
from nalm.studies.rules import Beats, Best, NotBetter

A, B, C, D = (Place("study", unit, "mul", "[1, 2)") for unit in "ABCD")


def verdict(rule, cells: dict[Place, Cell | float], **how) -> Verdict:
    given = {place: cell if isinstance(cell, Cell) else Cell(cell) for place, cell in cells.items()}
    return decided(rule, MadeUp(given, **how)).verdict


def test_better_needs_a_test_in_that_direction() -> None:
    assert verdict(Beats(A, B), {A: 0.9, B: 0.6}) == "reproduced"
    assert verdict(Beats(B, A), {A: 0.9, B: 0.6}) == "not reproduced"
    assert verdict(Beats(A, B), {A: 0.9, B: 0.6}, seeds=6) == "undecided"


def test_no_advantage_contradicts_better() -> None:
    finding = decided(Beats(A, B), MadeUp({A: Cell(1.0), B: Cell(1.0)}, seeds=25))
    assert finding.verdict is Verdict.NOT_REPRODUCED
    assert "any advantage is below 0.15" in finding.evidence[-1]


class OtherSeeds(MadeUp):
    """The runs of B have seeds of their own."""

    def outcomes(self, place, threshold=None):
        found = super().outcomes(place)
        return {seed + 100: run for seed, run in found.items()} if place == B else found


def test_seeds_pair_runs() -> None:
    # Five of the ten seeds with which A succeeds: paired that is significant, unpaired it is not.
    cells = {A: Cell(0.5), B: Cell(0.25)}
    how = {"seeds": 20, "published_seeds": 20}
    assert decided(Beats(A, B), MadeUp(cells, **how)).verdict is Verdict.REPRODUCED
    assert decided(Beats(A, B), OtherSeeds(cells, **how)).verdict is Verdict.UNDECIDED


def test_earlier_and_sparser() -> None:
    cells = {A: Cell(1.0, 4000.0, 1e-7), B: Cell(1.0, 20_000.0, 1e-3)}
    for measure in ("solved_at", "sparsity_error"):
        assert verdict(Beats(A, B, measure), cells) == "reproduced"
        assert verdict(Beats(B, A, measure), cells) == "not reproduced"
    assert verdict(Beats(A, B, "solved_at", factor=2), cells) == "reproduced"
    assert verdict(Beats(A, B, "solved_at", factor=10), cells) == "not reproduced"


def test_how_sparse_runs_are_that_stopped_when_solved_says_nothing() -> None:
    cells = {A: Cell(1.0, 4000.0, 1e-7), B: Cell(1.0, 20_000.0, 1e-3)}
    for rule in (Beats(A, B, "sparsity_error"), Beats(B, A, "sparsity_error")):
        finding = decided(rule, Stopped(cells))
        assert finding.verdict is Verdict.UNDECIDED
        assert finding.needs == "all published iterations would decide it"
    assert decided(Beats(A, B, "solved_at"), Stopped(cells)).verdict is Verdict.CONSISTENT


class Stopped(MadeUp):
    """Runs that were ended once they had solved their task."""

    def effort(self, place: Place) -> Effort:
        return dataclasses.replace(super().effort(place), stopped=True)


def test_nothing_solved_cannot_be_compared() -> None:
    finding = decided(Beats(A, B, "solved_at"), MadeUp({A: Cell(1.0), B: Cell(0.0)}))
    assert finding.verdict is Verdict.UNDECIDED
    assert finding.needs == "a comparison needs solved runs of both"


def test_several_cells_together() -> None:
    rule = Beats((A, B), (C, D))
    assert verdict(rule, {A: 0.9, B: 0.5, C: 0.5, D: 0.5}) == "reproduced"
    assert verdict(rule, {A: 0.9, B: 0.1, C: 0.5, D: 0.5}) == "not reproduced"


def test_what_was_cut_short_might_still_succeed() -> None:
    assert verdict(Beats(A, B), {A: 0.2, B: 0.9}, iterations=5000) == "undecided"
    assert verdict(Beats(A, B), {A: 0.9, B: 0.2}, iterations=5000) == "undecided"
    assert (
        verdict(Best((("first", (A,)), ("second", (B,)))), {A: 0.9, B: 0.2}, iterations=5000) == "undecided"
    )
    assert verdict(NotBetter(((A, B),)), {A: 0.5, B: 0.5}, iterations=5000) == "undecided"


def test_after_the_horizon_nothing_more_is_expected() -> None:
    assert decided(Beats(A, B), Beyond({A: Cell(0.9), B: Cell(0.2)})).verdict is Verdict.CONSISTENT
    assert decided(Beats(A, B), Beyond({A: Cell(0.2), B: Cell(0.9)})).verdict is Verdict.NOT_REPRODUCED


class Beyond(MadeUp):
    """Runs of three fifths of the published iterations, after which no published run was solved."""

    def effort(self, place: Place) -> Effort:
        return dataclasses.replace(super().effort(place), iterations=30_000, horizon=30_000)


def test_a_lead_in_iterations_needs_all_runs_of_the_earlier() -> None:
    rule = Beats(A, B, "solved_at")
    fast, slow = Cell(1.0, 1000.0), Cell(1.0, 4000.0)
    assert decided(rule, MadeUp({A: fast, B: slow}, iterations=5000)).verdict is Verdict.CONSISTENT
    assert (
        decided(rule, MadeUp({A: Cell(0.8, 1000.0), B: slow}, iterations=5000)).verdict is Verdict.UNDECIDED
    )


def test_the_best_beats_each() -> None:
    rule = Best((("first", (A,)), ("second", (B,)), ("third", (C,))))
    assert verdict(rule, {A: 0.9, B: 0.5, C: 0.1}) == "reproduced"
    assert verdict(rule, {A: 0.5, B: 0.9, C: 0.1}) == "not reproduced"
    assert verdict(rule, {A: 0.9, B: 0.9, C: 0.1}) == "not reproduced"  # no advantage over one
    assert verdict(rule, {A: 0.9, B: 0.7, C: 0.1}, seeds=12) == "undecided"
    worst = Best(rule.groups, worst=True)
    assert verdict(worst, {A: 0.1, B: 0.5, C: 0.9}) == "reproduced"
    assert verdict(worst, {A: 0.9, B: 0.5, C: 0.1}) == "not reproduced"


def test_no_better_needs_evidence_too() -> None:
    rule = NotBetter(((A, B), (C, D)))
    assert verdict(rule, {A: 0.5, B: 0.5, C: 0.5, D: 0.3}) == "reproduced"
    assert verdict(rule, {A: 0.5, B: 0.9, C: 0.5, D: 0.3}) == "not reproduced"
    assert verdict(rule, {A: 0.5, B: 0.6, C: 0.5, D: 0.5}, seeds=10) == "undecided"
    alike = NotBetter(rule.pairs, alike=True)
    assert verdict(alike, {A: 0.5, B: 0.5, C: 0.5, D: 0.5}) == "reproduced"
    assert verdict(alike, {A: 0.5, B: 0.5, C: 0.5, D: 0.1}) == "not reproduced"
