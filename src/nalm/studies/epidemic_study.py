"""Equations of epidemics, learnt by powers and sums inside a differential equation (Heim et al. 2020).

002 appendix D.1 says that a NAU behind an NPU was used to discover an epidemic's equations. The models and
epidemics stand in `nalm.tasks.epidemic`. Chosen here: 3 hidden units, as many as the equations have terms, or
6; Real NPUs with exponents in [−1, 1]; an L1 penalty of 10⁻⁷; Adam at 10⁻², 30,000 iterations, 10 seeds. A
run is solved if its root mean square error is below 1 % of the changes that it predicts, in populations twice
as large; a second threshold allows 10 %.
"""

from __future__ import annotations

import functools

import numpy as np

from nalm.networks.architecture import ModuleNetwork
from nalm.studies.cells import cell
from nalm.studies.study import Study
from nalm.tasks.epidemic import EPIDEMICS, EpidemicTask
from nalm.training.recipes import Recipe
from nalm.training.schedules import Constant

BOUNDED = (("clip", "wg"),)
PLAIN = Recipe(iterations=30_000, batch_size=EpidemicTask("SIR").rows, learning_rate=1e-2)
SPARSE = Recipe(
    iterations=PLAIN.iterations,
    batch_size=PLAIN.batch_size,
    learning_rate=1e-2,
    penalties=(("l1", Constant(1e-7)),),
)
NETWORK = "nalm.networks.ode:NeuralODE"
SIZE = (("features", 3), ("time", 1.0))
MODELS = {
    "NAU, Real NPU, hidden 3": ((*SIZE, ("hidden", 3), ("inner", ("RealNPU", BOUNDED))), SPARSE),
    "NAU, Real NPU, hidden 6": ((*SIZE, ("hidden", 6), ("inner", ("RealNPU", BOUNDED))), SPARSE),
    "NAU, Real naive NPU, hidden 3": (
        (*SIZE, ("hidden", 3), ("inner", ("RealNaiveNPU", (("clip", "w"),)))),
        SPARSE,
    ),
    "perceptron, hidden 20": ((*SIZE, ("hidden", 20), ("inner", "tanh")), PLAIN),
}
"""By label: the options of `NeuralODE`, and the recipe."""


@functools.cache
def change_threshold(task: EpidemicTask, tolerance: float = 0.01) -> float:
    """The squared error of a prediction that is off by a share of the changes' root mean square."""
    before, after = task.evaluated_on()["test"]
    return float(tolerance**2 * np.square(after - before).mean())


EPIDEMIC = Study(
    name="epidemic",
    title="The equations of an epidemic, from its course: a NAU and an NPU inside a differential equation",
    source="002 appendix D.1, after Heim et al. 2020; settings chosen here",
    cells=tuple(
        cell(label, ModuleNetwork(NETWORK, options, 3), EpidemicTask(name), recipe, setting="one week ahead")
        for label, (options, recipe) in MODELS.items()
        for name in EPIDEMICS
    ),
    seeds=10,
    thresholds=(("1 %", change_threshold), ("10 %", functools.partial(change_threshold, tolerance=0.1))),
    usual_inputs=(3,),
    tables=("by-operation", "equations-learnt"),
    by_range=False,
)
