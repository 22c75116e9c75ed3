"""Surfaces of perceptrons."""

import json
from pathlib import Path

import numpy as np

from nalm.report.perceptron_surfaces import golden, learnt, perceptron_surfaces
from nalm.report.results import Results
from nalm.studies.perceptrons import PERCEPTRONS, exact_perceptron
from nalm.studies.study import BUDGETS, Selection

SMOKE = BUDGETS["smoke"]
CHOICE = Selection(units=("MLP (4)",))


def weights_of(operation: str) -> dict[str, list]:
    state = exact_perceptron(operation).state_dict()
    return {f"layers.0.{name}": value.tolist() for name, value in state.items()}


def test_the_exact_perceptron_is_the_golden_surface() -> None:
    ((_, run),) = PERCEPTRONS.runs(SMOKE, Selection(("MLP (4)",), ("sub",)), range(1))
    found = learnt(run, weights_of("sub"), points=12)
    np.testing.assert_allclose(found.surface, golden("sub", points=12), atol=1e-5)
    assert found.verdict == "TT"
    assert learnt(run, weights_of("add"), points=12).verdict == "FF"


def test_division_has_no_point_at_zero() -> None:
    assert np.isfinite(golden("div")).all()


def test_the_figure_is_written(store, made_up, tmp_path: Path) -> None:
    records = made_up(PERCEPTRONS, SMOKE, CHOICE, range(1), solves=lambda cell, run: True)
    for record in records:
        object.__setattr__(record, "weights", json.dumps(weights_of(record.operation)))
    store.add(records)
    results = Results.read(PERCEPTRONS, SMOKE, store, CHOICE, range(1))
    assert all(path.exists() for path in perceptron_surfaces(results, store, tmp_path, "surfaces"))
