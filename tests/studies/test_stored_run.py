"""A run's row holds its configuration and its curve."""

import json
from dataclasses import replace

import numpy as np
import pytest

from nalm.studies.single_module import SINGLE_MODULE
from nalm.studies.stored_run import Record
from nalm.studies.study import BUDGETS, Selection, Study
from nalm.studies.two_layer import TWO_LAYER
from nalm.training import Curve

FULL = BUDGETS["full"]
CELL, RUN = SINGLE_MODULE.runs(FULL, Selection(units=("NMU",), ranges=("[1, 2)",)))[4]
SOLVED = Curve(
    iterations=np.array([0, 1000, 2000]),
    validation=np.array([1.0, 0.1, 0.01]),
    test=np.array([1.0, 1e-7, 1e-6]),
    sparsity=np.array([0.3, 0.2, 0.1]),
    restarts=(12, 30),
)


def record(curve: Curve) -> Record:
    return Record.of(SINGLE_MODULE, CELL, FULL, RUN, curve, seconds=1.5)


def test_the_curve_is_kept_and_not_judged() -> None:
    row = record(replace(SOLVED, measures={"accuracy": np.array([0.1, 0.5, 1.0])}))
    assert (row.steps, row.test) == ([0, 1000, 2000], [1.0, 1e-7, 1e-6])
    assert row.measures == [("accuracy", [0.1, 0.5, 1.0])]
    assert not hasattr(row, "success")


def test_a_diverged_run() -> None:
    errors = np.array([1.0, np.nan, np.nan])
    assert record(Curve(SOLVED.iterations, errors, errors, errors, diverged_at=17)).diverged_at == 17


@pytest.mark.parametrize("study", [SINGLE_MODULE, TWO_LAYER])
def test_the_protocol_is_the_one_in_the_identity(study: Study) -> None:
    cell, run = study.runs(FULL, seeds=[0])[0]
    row = Record.of(study, cell, FULL, run, SOLVED, seconds=1.5)
    assert row.protocol == json.loads(row.configuration)["protocol"]


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
