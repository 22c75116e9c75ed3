"""Rules decide by intervals, on evidence made up here."""

from collections.abc import Sequence

import pytest

from nalm.measuring.outcome import Outcome
from nalm.studies.claims import Claim, Place, Verdict, counts, find_claim, ledger_of
from nalm.studies.comparison import PublishedRate
from nalm.studies.rules import Beats, CountOf, Every, MedianSolvedAt, NotBeaten, Rate, Untestable, full, none

A, B, C = (Place("study", unit, "mul", "[1, 2)") for unit in "ABC")


def runs(solved: int, of: int = 100, at: Sequence[int] = (4000, 5000, 6000), sparsity: float = 1e-6):
    return [
        Outcome(True, at[k % len(at)], sparsity * (1 + k % 3), 9000)
        if k < solved
        else Outcome(False, None, None, 9000)
        for k in range(of)
    ]


class Given:
    """Evidence as a dictionary; every place wants a hundred seeds."""

    def __init__(self, outcomes: dict[Place, list[Outcome]]) -> None:
        self.by_place = outcomes

    def outcomes(self, place: Place, threshold: str | None = None) -> list[Outcome]:
        return self.by_place.get(place, [])

    def wanted(self, place: Place) -> int:
        return 100


def verdict(rule, outcomes: dict[Place, list[Outcome]]) -> Verdict:
    return Claim("x", "x", "x", rule).verdict(Given(outcomes)).verdict


def test_a_rate_is_reproduced_if_intervals_share_a_value() -> None:
    rule = Rate(A, PublishedRate(0.31, "=", "somewhere", "published", 100))  # [0.23, 0.41]
    assert verdict(rule, {A: runs(40)}) == "reproduced"  # [0.31, 0.50]
    assert verdict(rule, {A: runs(80)}) == "not reproduced"


def test_full_and_no_success() -> None:
    assert verdict(full(A, 100), {A: runs(99)}) == "reproduced"
    assert verdict(full(A, 100), {A: runs(80)}) == "not reproduced"
    assert verdict(none(A, 100), {A: runs(0)}) == "reproduced"
    assert verdict(none(A, 100), {A: runs(20)}) == "not reproduced"


def test_a_cell_that_lacks_a_seed_decides_nothing() -> None:
    claim = Claim("x", "x", "x", full(A, 100))
    finding = claim.verdict(Given({A: runs(99, of=99)}))
    assert finding.verdict is Verdict.NOT_YET_RUN
    assert finding.evidence == ("study: A, mul, [1, 2): 99 of 100 seeds at the full budget",)
    assert verdict(Beats(A, B), {A: runs(100)}) == "not yet run"


def test_medians() -> None:
    spread = [10_000 + 200 * k for k in range(100)]  # median 19900
    rule = MedianSolvedAt(A, 21_000, "published")
    assert verdict(rule, {A: runs(100, at=spread)}) == "reproduced"
    assert verdict(MedianSolvedAt(A, 60_000, "published"), {A: runs(100, at=spread)}) == "not reproduced"
    assert verdict(rule, {A: runs(3, at=spread)}) == "not reproduced"  # three runs have no such interval


def test_better_means_intervals_apart() -> None:
    assert verdict(Beats(A, B), {A: runs(90), B: runs(60)}) == "reproduced"
    assert verdict(Beats(A, B), {A: runs(62), B: runs(60)}) == "not reproduced"
    assert verdict(Beats(B, A), {A: runs(90), B: runs(60)}) == "not reproduced"


def test_earlier_and_sparser_are_better() -> None:
    late = [40_000, 50_000, 60_000]
    outcomes = {A: runs(100, sparsity=1e-7), B: runs(100, at=late, sparsity=1e-3)}
    for measure in ("solved_at", "sparsity_error"):
        assert verdict(Beats(A, B, measure), outcomes) == "reproduced"
        assert verdict(Beats(B, A, measure), outcomes) == "not reproduced"


def test_nothing_solved_cannot_be_compared() -> None:
    assert verdict(Beats(A, B, "solved_at"), {A: runs(100), B: runs(0)}) == "cannot be tested"


def test_not_beaten() -> None:
    rule = NotBeaten(((A, B), (A, C)))
    assert verdict(rule, {A: runs(50), B: runs(55), C: runs(1)}) == "reproduced"
    assert verdict(rule, {A: runs(50), B: runs(55), C: runs(95)}) == "not reproduced"


def test_counts_of_cells() -> None:
    outcomes = {A: runs(0), B: runs(100), C: runs(100)}

    def some(rate: float) -> bool:
        return rate > 0

    assert verdict(CountOf((A, B, C), some, "success", 2), outcomes) == "reproduced"
    assert verdict(CountOf((A, B, C), some, "success", 3), outcomes) == "not reproduced"
    assert verdict(CountOf((A, B, C), some, "success", 3, at_most=True), outcomes) == "reproduced"
    assert verdict(CountOf((A, B, C), some, "success", 1, at_most=True), outcomes) == "not reproduced"


def test_every_rule_must_hold() -> None:
    rule = Every((full(A, 100), none(B, 100)))
    assert rule.places == (A, B)
    assert verdict(rule, {A: runs(100), B: runs(0)}) == "reproduced"
    assert verdict(rule, {A: runs(100), B: runs(50)}) == "not reproduced"
    assert verdict(rule, {A: runs(100)}) == "not yet run"


def test_what_no_run_can_decide_says_why() -> None:
    finding = Claim("x", "x", "x", Untestable("it is a proof")).verdict(Given({}))
    assert finding.verdict is Verdict.CANNOT_BE_TESTED
    assert finding.evidence == ("it is a proof",)


def test_ledger_counts_and_lookup() -> None:
    claims = [Claim("001-a", "x", "x", full(A, 100)), Claim("001-b", "x", "x", none(A, 100))]
    ledger = ledger_of(claims, Given({A: runs(100)}))
    assert counts(ledger)[Verdict.REPRODUCED] == 1
    assert counts(ledger)[Verdict.NOT_REPRODUCED] == 1
    assert find_claim("001-b", claims) is claims[1]
    with pytest.raises(LookupError, match="no claim '001-c'; the nearest are 001-"):
        find_claim("001-c", claims)
