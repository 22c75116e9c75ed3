"""Counts taken literally, with one leniency for both directions."""

from made_up import Cell, MadeUp

from nalm.studies.claims import Place, Verdict, decided
from nalm.studies.rules import EachSolved, FullEverywhere, Tally, Varies, full, full_on, not_always, some_of

A, B, C, D = (Place("study", unit, "mul", "[1, 2)") for unit in "ABCD")


def verdict(rule, shares: dict[Place, float], **how) -> Verdict:
    how = {"seeds": 25} | how
    return decided(rule, MadeUp({place: Cell(share) for place, share in shares.items()}, **how)).verdict


def test_counts_are_literal() -> None:
    shares = {A: 0.0, B: 1.0, C: 0.9}
    assert verdict(some_of((A, B, C), 2), shares) == "reproduced"
    assert verdict(some_of((A, B, C), 3), shares) == "not reproduced"
    assert verdict(full_on((A, B, C), 1), shares) == "reproduced"
    assert verdict(full_on((A, B, C), 1), shares, seeds=10) == "consistent"
    assert verdict(full_on((A, B, C), 3), shares, seeds=10) == "undecided"


def test_a_success_too_many_is_final_and_full_success_is_not() -> None:
    shares = {A: 0.0, B: 1.0, C: 1.0}
    assert verdict(some_of((A, B, C), 0), shares, seeds=10) == "not reproduced"
    assert verdict(some_of((A, B, C), 1), shares, seeds=10, iterations=5000) == "not reproduced"
    assert verdict(some_of((A, B, C), 3), shares, seeds=10) == "undecided"
    assert verdict(full_on((B, C), 1), shares, seeds=10) == "undecided"


def test_one_failure_is_evidence_neither_for_not_always_nor_against_always() -> None:
    for share, always, sometimes in (
        (1.0, "reproduced", "not reproduced"),
        (0.96, "undecided", "undecided"),
        (0.7, "not reproduced", "reproduced"),
    ):
        assert verdict(full(A), {A: share}) == always
        assert verdict(not_always(A), {A: share}) == sometimes


def test_a_tally_of_pairs() -> None:
    pairs = ((A, B), (C, D))
    shares = {A: 0.2, B: 0.4, C: 0.5, D: 0.5}
    assert verdict(Tally(pairs, 1, 1, 0), shares) == "reproduced"
    assert verdict(Tally(pairs, 2, 0, 0), shares) == "not reproduced"
    assert verdict(Tally(pairs, None, None, 0), shares) == "reproduced"


def test_solved_by_all_of_few_runs() -> None:
    rule = EachSolved((A, B, C, D), 1)
    assert verdict(rule, dict.fromkeys(rule.cells, 1.0), seeds=2, published_seeds=2) == "reproduced"
    assert verdict(rule, dict.fromkeys(rule.cells, 0.0), seeds=2, published_seeds=2) == "not reproduced"
    some = dict.fromkeys(rule.cells, 1.0) | {A: 0.0}
    assert verdict(rule, some, seeds=2, published_seeds=2) == "undecided"


def test_inconsistent_over_ranges() -> None:
    rule = Varies((A, B, C))
    assert verdict(rule, {A: 0.2, B: 0.9, C: 0.5}) == "reproduced"
    assert verdict(rule, {A: 0.5, B: 0.5, C: 0.5}) == "not reproduced"
    assert verdict(rule, {A: 0.0, B: 0.0, C: 0.0}) == "not reproduced"


def test_who_is_full_everywhere() -> None:
    rule = FullEverywhere((("one", (A, B)), ("two", (C, D))), ("one",))
    assert verdict(rule, {A: 1.0, B: 1.0, C: 1.0, D: 0.5}) == "reproduced"
    assert verdict(rule, {A: 1.0, B: 0.9, C: 1.0, D: 0.5}) == "not reproduced"
