"""Multiplication of scaled features (002 section 6.1, figure 6.1)."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator
from typing import cast

from nalm.studies.division_studies import cell_of, changed
from nalm.studies.single_module import RAMP, study_of
from nalm.studies.stochastic_studies import multiplier
from nalm.studies.study import Cell, Study
from nalm.tasks.arithmetic import RANGES, single_module
from nalm.tasks.sampling import Uniform

Options = dict[str, object]


def min_max(inputs: Uniform) -> Options:
    """Statistics of min–max scaling after Feyn (002 eq. 6.1), of a product of two such inputs.

    Example:
        >>> min_max(Uniform(1.0, 2.0))
        {'centre': 1.5, 'factor': 2.0, 'target_factor': 1.5}
    """
    products = [a * b for a in (inputs.low, inputs.high) for b in (inputs.low, inputs.high)]
    return {
        "centre": inputs.moment(1),
        "factor": 2 / (inputs.high - inputs.low),
        "target_factor": (max(products) - min(products)) / 2,
    }


def z_score(inputs: Uniform) -> Options:
    """Statistics of standardisation with linear scaling (002 eq. 6.2), of a product of two such inputs."""
    mean, square = inputs.moment(1), inputs.moment(2)
    return {
        "centre": mean,
        "factor": 1 / math.sqrt(square - mean**2),
        "target_centre": mean**2,
        "target_factor": math.sqrt(square**2 - mean**4),
        "learnt": False,
    }


SCALINGS: dict[str, Callable[[Uniform], Options]] = {"min–max": min_max, "z-score": z_score}


def _cells() -> Iterator[Cell]:
    nmu = multiplier("NMU")
    # A strength of 0, not no penalty: both states then share one compiled graph.
    idle = dataclasses.replace(RAMP, strength=0.0)
    penalties = (("on", nmu.recipe.penalties), ("off", (("sparse", idle),)))
    for label, (train, _) in RANGES.items():
        task = single_module("mul", interpolation=label)
        for state, terms in penalties:
            yield cell_of(changed(nmu, f"NMU, penalty {state}", penalties=terms), task)
        for name, statistics in SCALINGS.items():
            scaled = dataclasses.replace(nmu, unit="ScaledNMU")
            for state, terms in penalties:
                variant = changed(
                    scaled, f"{name}, penalty {state}", statistics(cast(Uniform, train)), penalties=terms
                )
                yield cell_of(variant, task)


SCALING: Study = dataclasses.replace(
    study_of(()),
    name="scaling",
    title="Does the NMU learn products of scaled features?",
    source="002 section 6.1, figure 6.1",
    cells=tuple(_cells()),
    judged_otherwise=(),
    figures=("errors",),
)
