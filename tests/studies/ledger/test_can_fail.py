"""Every claim can come out either way: data that contradict it, or show no effect, never reproduce it."""

import itertools

from made_up import Cell, MadeUp
from opponents import agreeing, contradicting, is_about_an_effect

from nalm.studies.claims import Verdict, decided
from nalm.studies.ledger import CLAIMS

AGREEING = (Verdict.REPRODUCED, Verdict.CONSISTENT)
TOO_FEW_PUBLISHED = {
    "001-f13-nac-add-with-r-z",
    "001-f13-nau",
    "001-f14-nau-without-r-z",
    "001-f15-nac-mul-nmu-without-r-z",
    "001-f15-nmu-without-r-z",
    "001-f4-nac-mul",
    "001-f4-nac-mul-nmu",
    "001-f4-nac-mul-sigma",
    "001-t2-nalu-sub-median",
    "002-s4.6.1.2-snmu-batch-noise",
    "002-s4.6.1.2-solved-product",
    "002-tg.1-nmru",
    "002-t5.5-nmru-clipped",
    "002-tg.1-nru-clipped",
    "002-t5.6-10-nmru-large-magnitude-benford",
    "002-t7.3-gated-nau-nmu",
    "002-t7.3-recurrent-frozen",
    "002-t7.3-recurrent-nau-nau-nmu",
    "002-t7.3-recurrent-nau-real-npu",
}
"""Claims that so few runs stand behind that no number of ours can reproduce them; they can fail."""
RUNNABLE = [claim for claim in CLAIMS if claim.rule.places]


ABOUT_AN_EFFECT = [claim for claim in RUNNABLE if is_about_an_effect(claim.rule)]


def test_agreement_reproduces_it_unless_too_few_runs_were_published() -> None:
    for claim in RUNNABLE:
        finding = decided(claim.rule, MadeUp(agreeing(claim.rule), seeds=200))
        if claim.id in TOO_FEW_PUBLISHED:
            assert finding.verdict is Verdict.UNDECIDED, (claim.id, finding)
            assert "runs are too few" in finding.needs, claim.id
        else:
            assert finding.verdict is Verdict.REPRODUCED, (claim.id, finding)


def test_contradiction_of_any_part_never_reproduces_it() -> None:
    for claim in RUNNABLE:
        verdicts = set()
        for part, data in contradicting(claim.rule):
            finding = decided(claim.rule, MadeUp(data))
            assert finding.verdict not in AGREEING, (claim.id, part, finding)
            verdicts.add(finding.verdict)
        assert Verdict.NOT_REPRODUCED in verdicts, claim.id


def test_no_effect_at_all_never_reproduces_a_claim_of_one() -> None:
    for claim, share in itertools.product(ABOUT_AN_EFFECT, (0.0, 0.4, 1.0)):
        finding = decided(claim.rule, MadeUp(dict.fromkeys(claim.rule.places, Cell(share))))
        assert finding.verdict not in AGREEING, (claim.id, share, finding)


def test_reduced_runs_never_reproduce_it() -> None:
    for claim in RUNNABLE:
        data = agreeing(claim.rule)
        for evidence in (MadeUp(data, iterations=5000), MadeUp(data, seeds=5)):
            assert decided(claim.rule, evidence).verdict is not Verdict.REPRODUCED, claim.id


def test_that_nothing_is_solved_yet_is_no_evidence() -> None:
    for claim in RUNNABLE:
        nothing = MadeUp(dict.fromkeys(claim.rule.places, Cell(0.0)), iterations=5000)
        assert decided(claim.rule, nothing).verdict not in AGREEING, claim.id
