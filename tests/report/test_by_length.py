"""Networks read together make the same errors as one by one."""

import dataclasses

import pytest
import torch
from made_up_site import FULL, whole_curve

from nalm.report import by_length
from nalm.report.restored import restored_networks
from nalm.report.results import Results
from nalm.store import Store
from nalm.studies.catalogue import STUDIES
from nalm.studies.stored_run import Record
from nalm.studies.study import Selection


def test_errors_are_those_of_the_single_networks(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_length, "LENGTHS", (3, 6))
    study = dataclasses.replace(STUDIES["sequences"], cells=STUDIES["sequences"].cells[:1], seeds=2)
    (cell,) = study.cells
    for seed in range(2):
        run = cell.run(FULL, seed)
        torch.manual_seed(seed)
        weights = {name: p.detach().numpy() for name, p in run.architecture.build().named_parameters()}
        curve = dataclasses.replace(whole_curve(run, 1e-3, solved=True), weights=weights)
        store.add([Record.of(study, cell, FULL, run, curve, seconds=0.1)])
    results = Results.read(study, FULL, store, Selection(inputs=(cell.inputs,)))
    table = by_length.length_table(results, store).set_index(["seed", "length"])["error"]
    assert len(table) == 4
    for _, seed, network, _ in restored_networks(results, store):
        x, y = cell.task.at(6).drawn(by_length.SAMPLES, by_length.SEED)
        with torch.no_grad():
            expected = ((network(x)[..., 0] - y).square().mean() / y.square().mean()).sqrt()
        assert table[seed, 6] == pytest.approx(float(expected), rel=1e-4)
