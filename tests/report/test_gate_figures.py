"""Gates of stored runs."""

import json
from pathlib import Path

import pytest
import torch

from nalm.report.gate_figures import gate_histogram, gate_table, gate_value
from nalm.report.results import Results
from nalm.studies.study import BUDGETS, Selection
from nalm.studies.two_layer import GATING, TWO_LAYER

SMOKE = BUDGETS["smoke"]
CHOICE = Selection(units=("NALU (shared)",), operations=("mul",))


def weights_of(run, gate: float) -> dict[str, list]:
    network = run.architecture.build()
    network.layers[0].assign(weight=torch.full((2, 100), 0.01))
    network.layers[1].assign(gate_weight=torch.full((1, 2), gate))
    return {name: value.tolist() for name, value in network.state_dict().items()}


def test_the_gate_by_hand() -> None:
    """Sums of 100 inputs around 1.5 times 0.01: the gate's logit is about 2·1.5·gate."""
    ((_, run),) = GATING.runs(SMOKE, CHOICE, range(1))
    assert gate_value(run, weights_of(run, 0.0)) == pytest.approx(0.5)
    assert gate_value(run, weights_of(run, 1.0)) == pytest.approx(1 / (1 + 2.718281828**-3), abs=1e-2)
    assert gate_value(run, weights_of(run, -20.0)) < 1e-6


def test_a_network_without_a_gate_is_named() -> None:
    ((_, run),) = TWO_LAYER.runs(SMOKE, Selection(("NMU",), ("mul",)), range(1))
    weights = {name: value.tolist() for name, value in run.architecture.build().state_dict().items()}
    with pytest.raises(TypeError, match="has no gate"):
        gate_value(run, weights)


def test_a_histogram_of_stored_runs(store, made_up, tmp_path: Path) -> None:
    records = made_up(GATING, SMOKE, CHOICE, range(2), solves=lambda cell, run: run.seed == 0)
    runs = [run for _, run in GATING.runs(SMOKE, CHOICE, range(2))]
    for record, run, gate in zip(records, runs, (-20.0, 20.0), strict=True):
        object.__setattr__(record, "weights", json.dumps(weights_of(run, gate)))
    store.add(records)
    results = Results.read(GATING, SMOKE, store, CHOICE, range(2))
    table = gate_table(results, store).sort_values("seed")
    assert table["solved"].tolist() == [True, False]
    assert table["gate"].round().tolist() == [0, 1]
    assert all(path.exists() for path in gate_histogram(results, store, tmp_path, "gates"))
