"""The loss around a run's weights: drawn for every kind of task, and not where weights are missing."""

import json

import pytest

from nalm.report.site.landscape import POINTS, landscape
from nalm.studies.catalogue import STUDIES
from nalm.studies.study import Cell


def single_layer(study: str) -> Cell:
    cells = (cell for cell in STUDIES[study].cells if cell.inputs == 2)
    return next(cell for cell in cells if len(cell.architecture.layers) == 1)


@pytest.mark.parametrize("study", ["single-module", "logic", "comparison"])
def test_a_grid_of_losses(study: str) -> None:
    cell = single_layer(study)
    weights = {name: p.tolist() for name, p in cell.architecture.build().named_parameters()}
    surface = landscape(cell, json.dumps(weights), "told")
    assert surface is not None
    assert len(surface.rows) == POINTS**2
    assert len({row["loss"] for row in surface.rows}) > POINTS


def test_weights_that_were_kept_in_part_give_none() -> None:
    assert landscape(single_layer("single-module"), "{}", "told") is None
