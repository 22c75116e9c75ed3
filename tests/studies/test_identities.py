"""Identities of many seeds."""

import pytest

from nalm.studies.catalogue import STUDIES
from nalm.studies.identities import identities
from nalm.studies.study import BUDGETS, find_budget


@pytest.mark.parametrize("name", list(STUDIES))
def test_they_are_those_of_the_runs(name: str) -> None:
    for cell in STUDIES[name].cells[:: max(1, len(STUDIES[name].cells) // 5)]:
        for budget in (BUDGETS["full"], find_budget("1/10")):
            assert identities(cell, budget, (0, 1, 99)) == {
                cell.run(budget, seed).identity: seed for seed in (0, 1, 99)
            }
