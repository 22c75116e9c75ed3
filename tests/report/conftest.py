"""A store with a few runs of the composition study, whose weights are known."""

import numpy as np
import pytest
import torch

from nalm.report.results import Results
from nalm.store import Store
from nalm.studies.composition_studies import COMPOSITION
from nalm.studies.stored_run import Record
from nalm.studies.study import BUDGETS, Selection
from nalm.training.run import Curve

FULL = BUDGETS["full"]
WANTED = Selection(units=("recurrent, frozen", "gated NAU; NMU", "MLP"), operations=("add-mul", "sub-sub"))


def weights_of(cell):
    """A frozen selector that solves its task, a gated stack that almost does, and any perceptron."""
    network = cell.architecture.build()
    if cell.unit == "recurrent, frozen":
        first, second = cell.task.operations
        network.layers[0].choose([(first, (0, 1)), (second, (2, 4))])
    if cell.unit == "gated NAU; NMU":
        lower, upper = network.layers
        lower.first.assign(weight=torch.tensor([[1.0, 1, 0, 0], [0, 0, 0.9, 0], *[[0, 0, 0, 0]] * 3]))
        upper.second.assign(weight=torch.tensor([[1.0, 1, 0, 0, 0]]))
        with torch.no_grad():
            lower.gate_hat.fill_(9.0)
            upper.gate_hat.fill_(-9.0)
    return {name: value.detach().numpy() for name, value in network.named_parameters()}


@pytest.fixture
def compositions(tmp_path):
    store = Store(tmp_path)
    records = []
    for cell, run in COMPOSITION.runs(FULL, WANTED):
        exact = cell.unit == "recurrent, frozen"
        rows = np.array([9.0, 0.0 if exact else 0.01]), np.array([99.0, 0.0 if exact else 5.0 + run.seed])
        died_at = None
        if cell.unit == "MLP":
            died_at, rows = 500, (np.array([9.0, np.nan]), np.array([99.0, np.nan]))
        curve = Curve(np.array([0, 1000]), *rows, np.zeros(2), diverged_at=died_at, weights=weights_of(cell))
        records.append(Record.of(COMPOSITION, cell, FULL, run, curve, 1.0))
    store.add(records)
    return Results.read(COMPOSITION, FULL, store, WANTED), store
