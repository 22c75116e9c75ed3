"""Ablations of the dividing units as data."""

from nalm.studies.division_ablations import (
    ABLATIONS,
    CLIPPING,
    COMPLEX,
    DISCRETISATION,
    INITIALISATION,
    NMRU_ABLATION,
    NMRU_OPTIMISER,
    NORM,
    NORM_STRENGTH,
)
from nalm.studies.division_studies import DIVISION, DIVISION_REDUNDANT
from nalm.studies.study import BUDGETS, Cell, Selection, Study
from nalm.training.schedules import Staircase


def only(study: Study, unit: str) -> Cell:
    (cell,) = study.select(Selection(units=(unit,), ranges=("[1, 2)",)))
    return cell


def test_every_setting_is_trained_on_the_nine_ranges() -> None:
    for study in ABLATIONS:
        places = {(cell.unit, cell.label) for cell in study.cells}
        assert len(places) == len(study.cells) == 9 * len({unit for unit, _ in places})


def test_every_network_has_the_penalties_of_its_recipe() -> None:
    for cell in {cell.architecture: cell for study in ABLATIONS for cell in study.cells}.values():
        terms = {term for layer in cell.architecture.build().layers for term in layer.penalties()}
        assert {term for term, _ in cell.recipe.penalties} <= terms


def test_norms() -> None:
    assert only(NORM, "no penalty").recipe.penalties == ()
    assert only(NORM, "L2").recipe.penalties == (("l2", Staircase(1e-7, 1e-5)),)
    assert only(NORM, "L1").architecture == only(CLIPPING, "no clipping").architecture
    assert len({cell.recipe.penalties for cell in NORM_STRENGTH.cells}) == 7


def test_modifications_are_added_one_after_the_other() -> None:
    def options(study: Study, unit: str) -> dict[str, object]:
        return dict(only(study, unit).architecture.layers[0].options)

    assert options(CLIPPING, "clip wg") == options(DISCRETISATION, "no discretisation") == {"clip": "wg"}
    assert options(DISCRETISATION, "discretise wg") == options(INITIALISATION, "Xavier")
    assert options(INITIALISATION, "constrained") == {
        "clip": "wg", "discretise": "wg", "initial": "constrained",
    }  # fmt: skip


def test_the_complete_units_are_those_of_the_division_studies() -> None:
    pairs = [
        (only(INITIALISATION, "constrained"), only(DIVISION, "Real NPU (modified)")),
        (only(NORM, "L1"), only(DIVISION, "Real NPU")),
        (only(NMRU_ABLATION, "gnc + sign"), only(DIVISION_REDUNDANT, "NMRU")),
        (only(NMRU_OPTIMISER, "Adam"), only(DIVISION_REDUNDANT, "NMRU")),
        (only(COMPLEX, "Real NPU (modified)"), only(DIVISION_REDUNDANT, "Real NPU (modified)")),
    ]
    for ours, theirs in pairs:
        assert ours.run(BUDGETS["full"], 0).identity == theirs.run(BUDGETS["full"], 0).identity


def test_parts_of_the_nmru() -> None:
    parts = {
        unit: (dict(only(NMRU_ABLATION, unit).architecture.layers[0].options), only(NMRU_ABLATION, unit))
        for unit in ("neither", "gnc", "sign", "gnc + sign + gating")
    }
    assert {unit: (options, cell.recipe.clip_norm) for unit, (options, cell) in parts.items()} == {
        "neither": ({"sign": False}, None),
        "gnc": ({"sign": False}, 1.0),
        "sign": ({}, None),
        "gnc + sign + gating": ({"gated": True, "gate_pull": 0.1}, 1.0),
    }
