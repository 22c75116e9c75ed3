"""Ledgers: counts, and the correction for many tests."""

from made_up import Cell, MadeUp

from nalm.studies.claims import Claim, Effort, Place, Verdict, counts, ledger_of
from nalm.studies.rules import full, none

PLACES = tuple(Place("study", unit, "mul", "[1, 2)") for unit in "ABCDEFGHIJ")
A = PLACES[0]


def test_counts() -> None:
    claims = [Claim("001-a", "x", "x", full(A, 100)), Claim("001-b", "x", "x", none(A, 100))]
    ledger = ledger_of(claims, MadeUp({A: Cell(1.0)}))
    assert counts(ledger)[Verdict.REPRODUCED] == counts(ledger)[Verdict.NOT_REPRODUCED] == 1
    assert sum(counts(ledger).values()) == 2


def test_without_a_run_nothing_is_decided() -> None:
    claim = Claim("x", "x", "x", full(A, 100))
    finding = claim.finding(MadeUp({}))
    assert finding.verdict is Verdict.NOT_YET_RUN
    assert finding.evidence == ("study: A, mul, [1, 2): no finished run",)


def test_a_family_is_corrected_for_its_size_whichever_part_is_asked_for() -> None:
    family = [Claim(f"x-{p.unit}", "x", "x", full(p), "family") for p in PLACES]
    alone = Claim("alone", "x", "x", full(A))
    data = {place: Cell(1.0) for place in PLACES} | {A: Cell(0.8)}
    evidence = MadeUp(data, seeds=25)
    assert ledger_of([alone], evidence)[alone].verdict is Verdict.NOT_REPRODUCED
    for asked in (family, family[:1]):
        finding = ledger_of(asked, evidence, family)[family[0]]
        assert finding.verdict is Verdict.UNDECIDED
        assert "Holm's correction for 10 tests" in finding.evidence[-1]


def test_effort_in_words() -> None:
    effort = Effort(20, 100, 3_000_000, 5_000_000)
    assert str(effort) == "up to 3,000,000 iterations, 20 seeds"
    assert effort.cut
    assert not effort.whole
    assert Effort(100, 100, 5, 5).whole
    assert not Effort(100, 100, 5, 5, stopped=True).whole
