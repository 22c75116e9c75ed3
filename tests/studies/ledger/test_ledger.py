"""The ledger as data: every claim names cells that exist and reads like a sentence."""

import pytest

from nalm.studies.catalogue import STUDIES
from nalm.studies.ledger import CLAIMS
from nalm.studies.published import published
from nalm.studies.rules import MedianSolvedAt, Rate


def test_ids_are_unique() -> None:
    ids = [claim.id for claim in CLAIMS]
    assert len(set(ids)) == len(ids)
    assert {id[:3] for id in ids} == {"001", "002"}


def test_every_place_is_one_cell() -> None:
    cells: dict[tuple[str, str, str, str, int], int] = {}
    for study in STUDIES.values():
        for cell in study.cells:
            key = (study.name, cell.unit, cell.operation, cell.label, cell.inputs)
            cells[key] = cells.get(key, 0) + 1
    for claim in CLAIMS:
        for place in claim.rule.places:
            sizes = STUDIES[place.study].usual_inputs if place.inputs is None else (place.inputs,)
            key = (place.study, place.unit, place.operation, place.label)
            assert sum(cells.get((*key, size), 0) for size in sizes) == 1, f"{claim.id}: {place}"


def test_thresholds_that_claims_name_exist() -> None:
    for claim in CLAIMS:
        for rule in getattr(claim.rule, "rules", (claim.rule,)):
            if isinstance(rule, Rate):
                study = STUDIES[rule.place.study]
                known = {name for name, _ in study.thresholds} | ({"gold"} if study.gold else set())
                assert rule.published.threshold in known, claim.id
            if isinstance(rule, MedianSolvedAt):
                assert rule.threshold == "published"


@pytest.mark.parametrize("study", ["ten-parameter", "two-layer", "gating"])
def test_every_cell_of_the_tables_is_claimed(study: str) -> None:
    rates = [c for c in CLAIMS if isinstance(c.rule, Rate) and c.rule.place.study == study and "-t" in c.id]
    medians = [c for c in CLAIMS if isinstance(c.rule, MedianSolvedAt) and c.rule.place.study == study]
    assert len(rates) == len(published(study, metric="success"))
    assert len(medians) == len(published(study, metric="solved_at_median"))


def test_a_claim_of_table_2() -> None:
    (claim,) = (claim for claim in CLAIMS if claim.id == "001-t2-nmu-mul")
    assert claim.statement == "NMU on mul: 98% of 100 seeds succeed."
    assert claim.source == "001 table 6 (and table 2)"


def test_statements_are_sentences() -> None:
    assert all(claim.statement.endswith(".") for claim in CLAIMS)
