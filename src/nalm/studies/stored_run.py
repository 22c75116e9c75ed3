"""A finished run as one row of the store."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from nalm.studies.study import Budget, Cell, Study
from nalm.training.identity import PROTOCOL
from nalm.training.run import Curve, Run

VERSION = version("nalm")
LARGEST_KEPT = 10_000
"""Numbers in a parameter that is kept: a CNN's would take megabytes per run."""


@dataclass(frozen=True)
class Record:
    """What is kept of a run: what it did, not how that is judged.

    Whether it succeeded follows from its curve by `nalm.measuring.measure`, under any threshold.

    Attributes:
        identity: hash of the whole configuration; equal runs have equal identities.
        study: the study it was run for.
        unit: label of the unit's variant.
        operation: what was to be learnt.
        range: label of the interpolation range, or of the setting the study varies.
        inputs: length of the input vector.
        seed: of parameters and samples.
        budget: name of the budget.
        diverged_at: iteration at which the run stopped being finite, if it did.
        restarts: iterations at which the parameters were redrawn.
        stopped_at: iteration at which the run was ended because it was decided, if it was.
        steps: iterations of the curve's rows, under the name that the first stores gave them.
        validation: validation errors.
        test: test errors.
        sparsity: sparsity errors.
        measures: further columns of the curve that the task declares: (name, values) pairs.
        weights: final parameters, as JSON; those of a large front end are left out.
        configuration: architecture, task, recipe and seed, as JSON.
        seconds: computing time, an equal share of its chunk's.
        protocol: version of the training protocol.
        version: version of this package.
    """

    identity: str
    study: str
    unit: str
    operation: str
    range: str
    inputs: int
    seed: int
    budget: str
    diverged_at: int | None
    restarts: list[int]
    stopped_at: int | None
    steps: list[int]
    validation: list[float]
    test: list[float]
    sparsity: list[float]
    measures: list[tuple[str, list[float]]]
    weights: str
    configuration: str
    seconds: float
    protocol: int
    version: str

    @classmethod
    def of(cls, study: Study, cell: Cell, budget: Budget, run: Run, curve: Curve, seconds: float) -> Record:
        """The row of a finished run."""
        return cls(
            identity=run.identity,
            study=study.name,
            unit=cell.unit,
            operation=cell.operation,
            range=cell.label,
            inputs=cell.inputs,
            seed=run.seed,
            budget=budget.of(cell).name,
            diverged_at=curve.diverged_at,
            restarts=list(curve.restarts),
            stopped_at=curve.stopped_at,
            steps=curve.iterations.tolist(),
            validation=curve.validation.tolist(),
            test=curve.test.tolist(),
            sparsity=curve.sparsity.tolist(),
            measures=[(name, values.tolist()) for name, values in curve.measures.items()],
            weights=json.dumps(
                {
                    name: np.asarray(value).tolist()
                    for name, value in curve.weights.items()
                    if np.size(value) <= LARGEST_KEPT
                }
            ),
            configuration=json.dumps(run.configuration, sort_keys=True),
            seconds=seconds,
            protocol=PROTOCOL,
            version=VERSION,
        )
