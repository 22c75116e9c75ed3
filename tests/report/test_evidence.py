"""What a store says about places."""

import dataclasses

import pytest

from nalm.report.evidence import StoredEvidence
from nalm.studies.claims import Claim, Place, Verdict
from nalm.studies.rules import full, none
from nalm.studies.study import BUDGETS, find_budget
from nalm.studies.two_layer import TEN_PARAMETER

SMALL = dataclasses.replace(TEN_PARAMETER, seeds=3)
NMU = Place("ten-parameter", "NMU", "mul", "[1, 2)")
NAC = Place("ten-parameter", "NAC•", "mul", "[1, 2)")


def evidence(store) -> StoredEvidence:
    return StoredEvidence(store, {SMALL.name: SMALL})


def test_full_runs_decide(store, made_up) -> None:
    store.add(made_up(SMALL, BUDGETS["full"], solves=lambda cell, run: cell.unit == "NMU"))
    found = evidence(store)
    assert [run.success for run in found.outcomes(NMU)] == [True] * 3
    assert Claim("x", "x.", "x", full(NMU, 3, "published")).verdict(found).verdict is Verdict.REPRODUCED
    assert Claim("x", "x.", "x", none(NAC, 3, "published")).verdict(found).verdict is Verdict.REPRODUCED


@pytest.mark.parametrize("budget", ["1/10", "laptop", "smoke"])
def test_reduced_budgets_never_decide(store, made_up, budget: str) -> None:
    store.add(made_up(SMALL, find_budget(budget), seeds=range(3)))
    claim = Claim("x", "x.", "x", full(NMU, 3, "published"))
    assert claim.verdict(evidence(store)).verdict is Verdict.NOT_YET_RUN


def test_a_missing_seed_leaves_it_open(store, made_up) -> None:
    store.add(made_up(SMALL, BUDGETS["full"], seeds=range(2)))
    finding = Claim("x", "x.", "x", full(NMU, 3, "published")).verdict(evidence(store))
    assert finding.verdict is Verdict.NOT_YET_RUN
    assert "2 of 3 seeds" in finding.evidence[0]


def test_an_empty_store_and_a_place_that_does_not_exist(store) -> None:
    assert evidence(store).outcomes(NMU) == []
    with pytest.raises(LookupError, match="names 0 cells"):
        evidence(store).outcomes(dataclasses.replace(NMU, label="hidden 5"))
