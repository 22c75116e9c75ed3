"""Rules made of others, and rules that need no run."""

from made_up import Cell, MadeUp

from nalm.studies.claims import Place, Verdict, decided
from nalm.studies.rules import ByThreshold, Computed, Every, OutOfReach, Untestable, full, none

A, B = (Place("study", unit, "mul", "[1, 2)") for unit in "AB")
CELLS = tuple(Place("study", "A", "mul", f"hidden {k}") for k in range(20))


def test_every_rule_must_hold() -> None:
    rule = Every((full(A, 100), none(B, 100)))
    assert rule.places == (A, B)
    for a, b, expected in ((1.0, 0.0, "reproduced"), (1.0, 0.5, "not reproduced"), (1.0, 0.02, "reproduced")):
        assert decided(rule, MadeUp({A: Cell(a), B: Cell(b)})).verdict == expected


def test_a_part_that_fails_decides_before_the_others_are_run() -> None:
    rule = Every((full(A, 100), none(B, 100)))
    assert decided(rule, MadeUp({A: Cell(1.0)})).verdict is Verdict.NOT_YET_RUN
    assert decided(rule, MadeUp({A: Cell(0.1)})).verdict is Verdict.NOT_REPRODUCED


def test_many_parts_are_corrected_for() -> None:
    # Five failures of 25 are significant alone, and among twenty cells not.
    data = {place: Cell(1.0) for place in CELLS} | {CELLS[0]: Cell(0.8)}
    alone, among = full(CELLS[0]), Every(tuple(full(place) for place in CELLS))
    assert decided(alone, MadeUp(data, seeds=25)).verdict is Verdict.NOT_REPRODUCED
    assert decided(among, MadeUp(data, seeds=25)).verdict is Verdict.UNDECIDED


class ByName(MadeUp):
    """Other shares under another threshold."""

    def outcomes(self, place, threshold=None):
        return super().outcomes(B if threshold == "adaptive" else place)


def test_two_thresholds_count_once_and_both_are_shown() -> None:
    rule = ByThreshold(lambda threshold: full(A, 100, threshold))
    finding = decided(rule, ByName({A: Cell(1.0), B: Cell(0.0)}))
    assert finding.verdict is Verdict.REPRODUCED
    assert finding.beside.startswith("by the adaptive threshold not reproduced (study: A")
    assert decided(Every((rule,)), ByName({A: Cell(1.0), B: Cell(0.0)})).beside == finding.beside


def test_what_is_computed() -> None:
    assert decided(Computed(lambda: (True, "1 > 0"), "x"), MadeUp({})).verdict is Verdict.REPRODUCED
    assert decided(Computed(lambda: (False, "0 > 1"), "x"), MadeUp({})).verdict is Verdict.NOT_REPRODUCED


def test_a_bound_decides_if_it_is_proven_or_far_enough() -> None:
    assert decided(OutOfReach(2.0, True, 1.0), MadeUp({})).verdict is Verdict.REPRODUCED
    assert decided(OutOfReach(0.5, True, 1.0), MadeUp({})).verdict is Verdict.UNDECIDED
    assert decided(OutOfReach(2.0, False, 1.0), MadeUp({})).verdict is Verdict.UNDECIDED
    assert decided(OutOfReach(200.0, False, 1.0), MadeUp({})).verdict is Verdict.REPRODUCED


def test_what_no_run_can_decide_says_why() -> None:
    finding = decided(Untestable("it is a proof"), MadeUp({}))
    assert finding.verdict is Verdict.CANNOT_BE_TESTED
    assert finding.evidence == ("it is a proof",)
