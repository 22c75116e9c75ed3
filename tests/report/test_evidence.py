"""What a store says about places."""

import dataclasses

import numpy as np
import pytest

from nalm.measuring.outcome import Outcome
from nalm.report.evidence import StoredEvidence, _until
from nalm.studies.claims import Place, Verdict, decided
from nalm.studies.reduced_design import seeds_asked
from nalm.studies.rules import full, none
from nalm.studies.stored_run import Record
from nalm.studies.study import BUDGETS, find_budget
from nalm.studies.two_layer import GATING, TEN_PARAMETER, TWO_LAYER, decided_by_touch
from nalm.training.run import Curve

SMALL = dataclasses.replace(TEN_PARAMETER, seeds=16)
NMU = Place("ten-parameter", "NMU", "mul", "[1, 2)")
NAC = Place("ten-parameter", "NAC•", "mul", "[1, 2)")


def evidence(store) -> StoredEvidence:
    return StoredEvidence(store, {SMALL.name: SMALL})


def verdict(store, rule) -> Verdict:
    return decided(rule, evidence(store)).verdict


def test_full_runs_decide(store, made_up) -> None:
    store.add(made_up(SMALL, BUDGETS["full"], solves=lambda cell, run: cell.unit == "NMU"))
    found = evidence(store)
    assert {seed: run.success for seed, run in found.outcomes(NMU).items()} == dict.fromkeys(range(16), True)
    assert found.effort(NMU).whole
    assert verdict(store, full(NMU, 16, "published")) is Verdict.REPRODUCED
    assert verdict(store, none(NAC, 16, "published")) is Verdict.REPRODUCED


@pytest.mark.parametrize("budget", ["laptop", "smoke"])
def test_shortened_schedules_never_count(store, made_up, budget: str) -> None:
    store.add(made_up(SMALL, find_budget(budget), seeds=range(16)))
    assert verdict(store, full(NMU, 16, "published")) is Verdict.NOT_YET_RUN


def test_the_first_part_of_a_run_is_consistent_at_most(store, made_up) -> None:
    store.add(made_up(SMALL, find_budget("1/10"), seeds=range(16)))
    effort = evidence(store).effort(NMU)
    assert (effort.iterations, effort.published_iterations, effort.cut) == (20_000, 200_000, True)
    assert verdict(store, none(NMU, 16, "published")) is Verdict.NOT_REPRODUCED
    assert verdict(store, full(NMU, 16, "published")) is Verdict.CONSISTENT


def test_the_length_that_has_all_seeds_counts(store, made_up) -> None:
    store.add(made_up(SMALL, find_budget("1/10"), seeds=range(16)))
    store.add(made_up(SMALL, BUDGETS["full"], seeds=range(3)))
    effort = evidence(store).effort(NMU)
    assert (effort.seeds, effort.iterations) == (16, 20_000)


def test_runs_that_were_stopped_count_but_never_as_all_of_the_effort(store, made_up) -> None:
    small = dataclasses.replace(SMALL, cells=tuple(map(decided_by_touch, SMALL.cells)))
    to_touch = find_budget("full to touch")
    records = made_up(small, to_touch, seeds=range(16))
    store.add([dataclasses.replace(record, stopped_at=2000) for record in records])
    found = StoredEvidence(store, {small.name: small})
    assert all(run.success for run in found.outcomes(NMU).values())
    effort = found.effort(NMU)
    assert (effort.iterations, effort.stopped, effort.whole) == (200_000, True, False)
    store.add(made_up(small, BUDGETS["full"], seeds=range(16)))
    assert StoredEvidence(store, {small.name: small}).effort(NMU).whole


def test_seeds_beyond_the_published_ones_count(store, made_up) -> None:
    store.add(made_up(SMALL, BUDGETS["full"], seeds=range(100, 120)))
    assert list(evidence(store).outcomes(NMU)) == list(range(100, 120))


def test_a_run_solved_later_was_not_solved_then() -> None:
    solved = Outcome(True, 30_000, 1e-6, 40_000)
    assert _until(solved, 20_000).success is False
    assert _until(solved, 30_000) is solved


def test_an_empty_store_and_a_place_that_does_not_exist(store) -> None:
    assert evidence(store).outcomes(NMU) == {}
    with pytest.raises(LookupError, match="names 0 cells"):
        evidence(store).outcomes(dataclasses.replace(NMU, label="hidden 5"))


def test_cells_are_judged_once_they_have_the_seeds_that_their_design_asks_for(store, made_up) -> None:
    whole, part = BUDGETS["full"], find_budget("3/5")
    cell = next(c for c in TWO_LAYER.cells if (c.unit, c.operation) == ("NMU", "mul"))
    study = dataclasses.replace(TWO_LAYER, cells=(cell,))
    place = Place(study.name, cell.unit, cell.operation, cell.label)
    asked = seeds_asked(study, cell)
    assert asked == 20
    store.add(made_up(study, whole, seeds=range(8)))
    assert StoredEvidence(store, {study.name: study}).outcomes(place) == {}
    # Shorter runs make up the number, and then all are judged by what they had done by then.
    store.add(made_up(study, part, seeds=range(8, asked)))
    found = StoredEvidence(store, {study.name: study})
    assert sorted(found.outcomes(place)) == list(range(asked))
    assert found.effort(place).iterations == 3_000_000


@pytest.mark.parametrize("chosen", [True, False])
def test_gates_are_judged_by_what_they_chose(store, chosen: bool) -> None:
    study = dataclasses.replace(GATING, seeds=1)
    cell = study.cells[0]  # gated NAU/NMU on products
    run = cell.run(BUDGETS["full"], 0)
    curve = Curve(
        np.array([0]), np.array([0.1]), np.array([0.1]), np.array([0.0]),
        measures={"gate": np.array([0.9 if chosen else 0.1])},
    )  # fmt: skip
    store.add([Record.of(study, cell, BUDGETS["full"], run, curve, 1.0)])
    found = StoredEvidence(store, {study.name: study})
    place = Place(study.name, cell.unit, "mul", "[1, 2)")
    assert [run.success for run in found.outcomes(place, "gate").values()] == [chosen]
    # On products the right choice is the product.
    assert len(found.outcomes(place, "right gate")) == (not chosen)
