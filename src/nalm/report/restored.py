"""Networks of finished runs, with the weights they ended with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn

from nalm.networks.architecture import NetworkDescription
from nalm.report.results import Results
from nalm.store import Store
from nalm.studies.identities import seeds_by_identity
from nalm.studies.study import Cell


def restored_networks(results: Results, store: Store) -> Iterator[tuple[Cell, int, nn.Module, Any]]:
    """Cell, seed, network and stored row of every finished run, in the study's order.

    Runs of one architecture share the network: a network is the run's until the next one is asked for.
    """
    built: dict[NetworkDescription, nn.Module] = {}
    wanted = seeds_by_identity(results.curves, results.budget, results.wanted)
    rows = {row.identity: row for row in stored_rows(store, set(wanted))}
    for identity, places in wanted.items():
        if identity in rows:
            row, (cell, seed) = rows[identity], places[-1]
            network = built.get(cell.architecture) or cell.architecture.build().eval()
            built[cell.architecture] = network
            yield cell, seed, loaded(network, json.loads(row.weights)), row


def loaded(network: nn.Module, weights: dict[str, Any]) -> nn.Module:
    """A network with stored weights; those that were not kept stay as they are."""
    network.load_state_dict({name: torch.tensor(value) for name, value in weights.items()}, strict=False)
    return network


def stored_rows(store: Store, identities: set[str]) -> Iterator[Any]:
    """What the store has of these runs."""
    yield from store.frame(curves=True, identities=identities).itertuples()
