"""Bounds that nearly all solved runs keep, and majorities."""

from made_up import Cell, MadeUp

from nalm.studies.claims import Place, Verdict, decided
from nalm.studies.rules import Majority, NearlyAll

A, B, C, D, E, F = (Place("study", unit, "mul", "[1, 2)") for unit in "ABCDEF")
LOW, HIGH = Cell(1.0, 4000.0, 1e-6), Cell(1.0, 40_000.0, 0.3)


def verdict(rule, cells: dict[Place, Cell], **how) -> Verdict:
    return decided(rule, MadeUp(cells, **({"seeds": 25} | how))).verdict


def test_nearly_all_solved_runs_keep_a_bound() -> None:
    sparse, fast = NearlyAll((A, B), "sparsity_error", 0.05), NearlyAll((A, B), "solved_at", 5000)
    for rule in (sparse, fast):
        assert verdict(rule, {A: LOW, B: LOW}) == "reproduced"
        assert verdict(rule, {A: LOW, B: HIGH}) == "not reproduced"
        assert verdict(rule, {A: LOW, B: LOW}, seeds=5) == "undecided"  # 10 of 10 may be 8 of 10
        assert verdict(rule, {A: LOW, B: LOW}, iterations=5000) == "undecided"


def test_above_a_bound() -> None:
    rule = NearlyAll((A,), "sparsity_error", 0.1, above=True)
    assert verdict(rule, {A: HIGH}) == "reproduced"
    assert verdict(rule, {A: LOW}) == "not reproduced"


def test_runs_that_fail_say_nothing_about_a_bound() -> None:
    rule = NearlyAll((A,), "sparsity_error", 0.1)
    assert verdict(rule, {A: Cell(0.0)}) == "undecided"
    # Of 40 runs 30 are solved, all of them sparse.
    assert verdict(rule, {A: Cell(0.75)}, seeds=40) == "reproduced"


def test_a_majority_is_more_than_half() -> None:
    rule = Majority(((A, B), (C, D), (E, F)))
    better, worse = Cell(0.8), Cell(0.4)
    two = {A: better, B: worse, C: better, D: worse, E: worse, F: better}
    assert verdict(rule, two) == "reproduced"
    assert verdict(rule, two | {C: worse}) == "not reproduced"  # one of three, and one equal
    assert verdict(rule, two, seeds=10) == "consistent"
