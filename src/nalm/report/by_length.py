"""Finished recurrent networks on sequences longer than those they were trained on."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import numpy as np
import pandas as pd
import torch
from torch import Tensor, nn

from nalm.report.markdown import table
from nalm.report.restored import restored_networks
from nalm.report.results import Results
from nalm.store import Store
from nalm.studies.sequence_studies import LENGTHS, TOLERANCE
from nalm.studies.study import Cell
from nalm.tasks.sequences import SequenceTask

SAMPLES = 200
SEED = 10_000
"""Of the sequences: no run is trained with it."""


@torch.no_grad()
def length_table(results: Results, store: Store) -> pd.DataFrame:
    """One row per run and length: the error of the final network, relative to the targets' size."""
    finished: dict[Cell, dict[int, dict[str, Tensor]]] = {}
    for cell, seed, network, _ in restored_networks(results, store):
        own = {name: parameter.clone() for name, parameter in network.named_parameters()}
        finished.setdefault(cell, {})[seed] = own
    rows = []
    for cell, runs in finished.items():
        for length, errors in zip(LENGTHS, _errors(cell, list(runs.values())), strict=True):
            place = {"unit": cell.unit, "operation": cell.operation, "length": length}
            rows += [place | {"seed": seed, "error": error} for seed, error in zip(runs, errors, strict=True)]
    return pd.DataFrame(rows)


def _errors(cell: Cell, weights: list[dict[str, Tensor]]) -> Iterator[list[float]]:
    """By length, the error of every network of a cell; all of them read a sequence at once."""
    assert isinstance(cell.task, SequenceTask)
    network = cell.architecture.build().eval()
    together = {name: torch.stack([own[name] for own in weights]) for name in weights[0]}
    for length in LENGTHS:
        x, y = cell.task.at(length).drawn(SAMPLES, SEED)
        outputs = torch.func.vmap(functools.partial(_output, network, x))(together)
        error = (outputs - y).double().square().mean(dim=-1) / y.double().square().mean()
        yield error.sqrt().nan_to_num(torch.inf).tolist()


def _output(network: nn.Module, x: Tensor, weights: dict[str, Tensor]) -> Tensor:
    output: Tensor = torch.func.functional_call(network, weights, (x,))
    return output[..., 0]


def length_page(results: Results, store: Store) -> str:
    """Share of networks within 1 %, and the median relative error, by length, as Markdown."""
    frame = length_table(results, store)
    if frame.empty:
        return ""
    lines = []
    for (operation, unit), own in frame.groupby(["operation", "unit"], sort=False):
        by_length = own.groupby("length")["error"]
        entries = (f"{np.mean(e < TOLERANCE):.2f} ({np.median(e):.1g})" for _, e in by_length)
        lines.append([str(operation), str(unit), *entries])
    head = ["task", "network", *(str(length) for length in LENGTHS)]
    stamp = f"\n{results.stamp}.\n" if results.stamp else ""
    words = (
        f"Final networks on {SAMPLES} new sequences: the share of seeds whose root mean square error is "
        f"below {TOLERANCE:.0%} of the targets', and the median error relative to them."
    )
    return (
        f"\n### {results.study.name}, by length of the sequence\n{stamp}\n{words}\n\n{table(head, lines)}\n"
    )
