"""A run's row holds its configuration, its curve and its outcome."""

import json
from dataclasses import replace

import numpy as np
import pytest

from nalm.studies.record import Record
from nalm.studies.single_module import SINGLE_MODULE
from nalm.studies.study import BUDGETS, Selection
from nalm.training import Curve

FULL = BUDGETS["full"]
CELL, RUN = SINGLE_MODULE.runs(FULL, Selection(units=("NMU",), ranges=("[1, 2)",)))[4]
SOLVED = Curve(
    steps=np.array([0, 1000, 2000]),
    validation=np.array([1.0, 0.1, 0.01]),
    test=np.array([1.0, 1e-7, 1e-6]),
    sparsity=np.array([0.3, 0.2, 0.1]),
    restarts=(12, 30),
)


def record(curve: Curve) -> Record:
    return Record.of(SINGLE_MODULE, CELL, FULL, RUN, curve, seconds=1.5)


def test_the_outcome_is_that_of_the_best_validation_error() -> None:
    row = record(SOLVED)
    assert not row.success  # 1e-6 at the selected row; the threshold is 1.2e-7
    assert row.best_step == 2000
    assert row.success_flat
    assert row.threshold == pytest.approx(1.202e-7, rel=1e-3)
    assert record(replace(SOLVED, test=np.array([1.0, 1e-7, 1e-8]))).solved_at == 1000


def test_a_diverged_run() -> None:
    errors = np.array([1.0, np.nan, np.nan])
    row = record(Curve(SOLVED.steps, errors, errors, errors, diverged_at=17))
    assert (row.success, row.solved_at, row.diverged_at) == (False, None, 17)


def test_the_configuration_gives_the_identity_again() -> None:
    row = record(SOLVED)
    assert row.identity == RUN.identity
    configuration = json.loads(row.configuration)
    assert configuration["recipe"]["penalties"][0][0] == "sparse"
    assert configuration == json.loads(json.dumps(RUN.configuration))


def test_labels() -> None:
    row = record(SOLVED)
    assert (row.study, row.unit, row.operation, row.range, row.inputs, row.seed, row.budget) == (
        "single-module", "NMU", "mul", "[1, 2)", 2, 4, "full",
    )  # fmt: skip
    assert row.restarts == [12, 30]
    assert row.seconds == 1.5
