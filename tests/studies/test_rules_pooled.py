"""Averages over cells."""

from collections.abc import Sequence

import pytest

from nalm.measuring.outcome import Outcome
from nalm.studies.claims import Place, Verdict
from nalm.studies.rules_pooled import Best, Pooled

CELLS = tuple(Place("division", "NRU", "div", label) for label in ("[1, 2)", "[10, 20)"))


class Solved:
    """Evidence with so many solved runs of 25 per cell."""

    def __init__(self, *solved: int) -> None:
        self.solved = dict(zip(CELLS, solved, strict=True))

    def outcomes(self, place: Place, threshold: str | None = None) -> Sequence[Outcome]:
        assert threshold == "flat"
        return [Outcome(k < self.solved[place], None, None, 0) for k in range(25)]

    def wanted(self, place: Place) -> int:
        return 25


@pytest.mark.parametrize(
    ("solved", "verdict"),
    [((25, 0), Verdict.REPRODUCED), ((13, 12), Verdict.REPRODUCED), ((25, 25), Verdict.NOT_REPRODUCED)],
)
def test_only_the_average_counts(solved: tuple[int, int], verdict: Verdict) -> None:
    finding = Pooled(CELLS, 0.5, "flat").decide(Solved(*solved))
    assert finding.verdict == verdict
    assert finding.evidence[-1].endswith("published 0.50 of 50 runs")
    assert len(finding.evidence) == 3


@pytest.mark.parametrize(
    ("solved", "verdict"),
    [((5, 4), Verdict.REPRODUCED), ((4, 4), Verdict.REPRODUCED), ((4, 5), Verdict.NOT_REPRODUCED)],
)
def test_the_best_group_has_no_better_one_beside_it(solved: tuple[int, int], verdict: Verdict) -> None:
    rule = Best((("first", CELLS[:1]), ("second", CELLS[1:])), "flat")
    finding = rule.decide(Solved(*solved))
    assert finding.verdict == verdict
    assert [line.partition(":")[0] for line in finding.evidence] == ["first", "second"]
    assert rule.places == CELLS
