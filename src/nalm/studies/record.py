"""A finished run as one row of the store."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from nalm.measuring.outcome import measure
from nalm.measuring.thresholds import FLAT
from nalm.studies.study import Budget, Cell, Study
from nalm.training.run import PROTOCOL_VERSION, Curve, Run


@dataclass(frozen=True)
class Record:
    """What is kept of a run.

    Attributes:
        identity: hash of the whole configuration; equal runs have equal identities.
        study: the study it was run for.
        unit: label of the unit's variant.
        operation: what was to be learnt.
        range: label of the interpolation range, or of the setting the study varies.
        inputs: length of the input vector.
        seed: of parameters and samples.
        budget: name of the budget.
        success: whether the selected model's test error is below `threshold`.
        solved_at: first evaluated iteration below it; missing for failures.
        sparsity_error: of the selected model; missing for failures.
        best_step: the selected iteration.
        diverged_at: iteration at which the run stopped being finite, if it did.
        restarts: iterations at which the parameters were drawn anew.
        threshold: test error of an ε-perfect solution on this task.
        success_flat: success judged by a test error of 10⁻⁵ on every range instead (D20).
        steps: iterations of the curve's rows.
        validation: validation errors.
        test: test errors.
        sparsity: sparsity errors.
        weights: final parameters, as JSON.
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
    success: bool
    solved_at: int | None
    sparsity_error: float | None
    best_step: int
    diverged_at: int | None
    restarts: list[int]
    threshold: float
    success_flat: bool
    steps: list[int]
    validation: list[float]
    test: list[float]
    sparsity: list[float]
    weights: str
    configuration: str
    seconds: float
    protocol: int
    version: str

    @classmethod
    def of(cls, study: Study, cell: Cell, budget: Budget, run: Run, curve: Curve, seconds: float) -> Record:
        """The row of a finished run, judged by the study's own threshold."""
        threshold = study.limit(cell)
        return cls(
            identity=run.identity,
            study=study.name,
            unit=cell.unit,
            operation=cell.operation,
            range=cell.label,
            inputs=cell.inputs,
            seed=run.seed,
            budget=budget.name,
            **dataclasses.asdict(measure(curve, threshold)),
            restarts=list(curve.restarts),
            threshold=threshold,
            success_flat=measure(curve, FLAT).success,
            steps=curve.steps.tolist(),
            validation=curve.validation.tolist(),
            test=curve.test.tolist(),
            sparsity=curve.sparsity.tolist(),
            weights=json.dumps({name: np.asarray(value).tolist() for name, value in curve.weights.items()}),
            configuration=json.dumps(run.configuration, sort_keys=True),
            seconds=seconds,
            protocol=PROTOCOL_VERSION,
            version=version("nalm"),
        )
