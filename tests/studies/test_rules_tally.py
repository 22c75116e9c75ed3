"""Counts of better and worse cells."""

from collections.abc import Sequence

import pytest

from nalm.measuring.outcome import Outcome
from nalm.studies.claims import Place, Verdict
from nalm.studies.rules_tally import Tally

RANGES = ("[1, 2)", "[10, 20)", "[-2, 2)")
PAIRS = tuple(
    (Place("real-npu-norm", "L2", "div", r), Place("real-npu-norm", "L1", "div", r)) for r in RANGES
)
SOLVED = {"L2": (3, 5, 5), "L1": (4, 5, 4)}


class Some:
    """Evidence with so many solved runs of 25 per unit and range."""

    def outcomes(self, place: Place, threshold: str | None = None) -> Sequence[Outcome]:
        assert threshold == "flat"
        solved = SOLVED[place.unit][RANGES.index(place.label)]
        return [Outcome(k < solved, None, None, 0) for k in range(25)]

    def wanted(self, place: Place) -> int:
        return 25


@pytest.mark.parametrize(
    ("counts", "verdict"), [((1, 1, 1), Verdict.REPRODUCED), ((2, 0, 1), Verdict.NOT_REPRODUCED)]
)
def test_all_three_counts_must_come_out(counts: tuple[int, int, int], verdict: Verdict) -> None:
    rule = Tally(PAIRS, *counts, "flat")
    finding = rule.decide(Some())
    assert finding.verdict == verdict
    assert finding.evidence[-1] == "lower in 1, the same in 1, higher in 1"
    assert len(rule.places) == 6
