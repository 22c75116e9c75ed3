"""The ledger as data: every claim names cells that exist and reads like a sentence."""

import pytest
from opponents import parts

from nalm.report.reviewer import SOURCES
from nalm.studies.catalogue import STUDIES
from nalm.studies.ledger import CLAIMS
from nalm.studies.published import published
from nalm.studies.rules import OutOfReach, SameCurve, SameRate


def test_ids_are_unique() -> None:
    ids = [claim.id for claim in CLAIMS]
    assert len(set(ids)) == len(ids)
    assert {id.split("-")[0] for id in ids} == set(SOURCES)


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


GATES = {"gate", "right gate"}
"""Not thresholds of an error: `nalm.report.evidence` knows them for studies of gates."""


def test_thresholds_that_claims_name_exist() -> None:
    for claim in CLAIMS:
        for part in parts(claim.rule):
            rules = part.points if isinstance(part, SameCurve) else (part,)
            for rule in rules:
                name = (
                    rule.published.threshold
                    if isinstance(rule, SameRate)
                    else getattr(rule, "threshold", None)
                )
                for place in rule.places if isinstance(name, str) else ():
                    study = STUDIES[place.study]
                    known = {name for name, _ in (*study.thresholds, *study.further)}
                    known |= {"gold"} if study.gold else set()
                    known |= GATES if "gate-histogram" in study.figures else set()
                    assert name in known, f"{claim.id}: {name}"


@pytest.mark.parametrize("study", ["ten-parameter", "two-layer", "gating"])
def test_every_cell_of_the_tables_is_claimed(study: str) -> None:
    numbers = {"ten-parameter": ("001-t1",), "two-layer": ("001-t2", "001-t6"), "gating": ("001-t5",)}[study]
    claims = [claim for claim in CLAIMS if claim.id.startswith(numbers)]
    medians = [claim for claim in claims if claim.id.endswith("-median")]
    assert len(claims) - len(medians) == len(published(study, metric="success"))
    assert len(medians) == len(published(study, metric="solved_at_median"))


def test_zeros_that_need_no_run() -> None:
    assert sum(isinstance(claim.rule, OutOfReach) for claim in CLAIMS) == 31


def test_figures_are_claimed_curve_by_curve() -> None:
    curves = [claim for claim in CLAIMS if claim.family == "001 curves"]
    assert len(curves) == 31
    assert all(isinstance(claim.rule, SameCurve) for claim in curves)
    points = sum(len(claim.rule.places) for claim in curves)
    studies = ("hidden", "ranges", "inputs", "overlap", "subset", "penalty")
    assert points == sum(len(published(f"two-layer-{name}", metric="success")) for name in studies)


def test_what_is_not_in_the_paper_has_a_source_of_its_own() -> None:
    scripts = [claim for claim in CLAIMS if "stable-nalu" in claim.source]
    assert {claim.id[:3] for claim in scripts} == {"sn-"}
    assert len(scripts) == 25


def test_a_claim_of_table_2() -> None:
    (claim,) = (claim for claim in CLAIMS if claim.id == "001-t2-nmu-mul")
    assert claim.statement == "NMU on mul: 98% of 100 seeds succeed."
    assert claim.source == "001 table 6 (and table 2)"


def test_statements_are_sentences() -> None:
    assert all(claim.statement.endswith(".") for claim in CLAIMS)
