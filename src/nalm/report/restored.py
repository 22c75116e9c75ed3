"""Networks of finished runs, with the weights they ended with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn

from nalm.report.results import Results
from nalm.store import Store
from nalm.studies.study import Cell


def restored_networks(results: Results, store: Store) -> Iterator[tuple[Cell, int, nn.Module, Any]]:
    """Cell, seed, network and stored row of every finished run, in the study's order."""
    wanted = {
        cell.run(results.budget, seed).identity: (cell, seed)
        for cell in results.curves
        for seed in range(results.wanted)
    }
    rows = {row.identity: row for row in _rows(store, set(wanted))}
    for identity, (cell, seed) in wanted.items():
        if identity in rows:
            row = rows[identity]
            yield cell, seed, network_of(cell, json.loads(row.weights)), row


def network_of(cell: Cell, weights: dict[str, Any]) -> nn.Module:
    """The network of a cell with stored weights."""
    network = cell.architecture.build().eval()
    network.load_state_dict({name: torch.tensor(value) for name, value in weights.items()}, strict=False)
    return network


def _rows(store: Store, identities: set[str]) -> Iterator[Any]:
    yield from store.frame(curves=True, identities=identities).itertuples()
