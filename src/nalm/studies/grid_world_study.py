"""The grid world with an exact time of arrival (Trask et al. 2018).

000 section 6.3 says no more than that an agent in a grid world has to go from A to B in exactly n steps. All
else is chosen here: what the agent sees and how its success is computed (`nalm.tasks.grid_world_task`), a
perceptron with 32 hidden units, 8 episodes per batch, each from every field, Adam at 10⁻², 2000 iterations,
10 seeds. A run is solved if the agent arrives in time in 95 of 100 episodes.
"""

from __future__ import annotations

from collections.abc import Iterator

from nalm.networks.architecture import ModuleNetwork
from nalm.studies.cells import by_operation, cell
from nalm.studies.study import Cell
from nalm.tasks.grid_world_task import TESTED, GridWorldTask
from nalm.training.recipes import Recipe

RECIPE = Recipe(iterations=2000, batch_size=8, evaluate_every=100, learning_rate=1e-2)
AGENT = "nalm.networks.grid_world:Agent"
MODELS = {
    "perceptron": ModuleNetwork(AGENT),
    "perceptron, NAC+": ModuleNetwork(AGENT, (("clock", ("NACAdd", ())),)),
    "perceptron, NAU": ModuleNetwork(AGENT, (("clock", ("NAU", ())),)),
}


def _cells() -> Iterator[Cell]:
    task = GridWorldTask()
    for label, network in MODELS.items():
        for due in TESTED:
            yield cell(label, network, task, RECIPE, setting=f"due at {due}", column=task.column(due))


GRID_WORLD = by_operation(
    name="grid-world",
    title="Arriving at a field exactly in time: learnt for times to 12, tested to 19",
    source="000 section 6.3, after Trask et al. 2018; settings chosen here",
    cells=tuple(_cells()),
    seeds=10,
    thresholds=(("95 % in time", lambda task: 0.05), ("75 % in time", lambda task: 0.25)),
    usual_inputs=(GridWorldTask().inputs,),
)
