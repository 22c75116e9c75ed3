"""Finished recurrent networks on sequences longer than those they were trained on."""

from __future__ import annotations

import numpy as np
import pandas as pd
import torch

from nalm.report.markdown import table
from nalm.report.restored import restored_networks
from nalm.report.results import Results
from nalm.store import Store
from nalm.studies.sequences import LENGTHS, TOLERANCE
from nalm.tasks.sequences import SequenceTask

SAMPLES = 200
SEED = 10_000
"""Of the sequences: no run is trained with it."""


@torch.no_grad()
def length_table(results: Results, store: Store) -> pd.DataFrame:
    """One row per run and length: the error of the final network, relative to the targets' size."""
    rows = []
    for cell, seed, network, _ in restored_networks(results, store):
        assert isinstance(cell.task, SequenceTask)
        for length in LENGTHS:
            x, y = cell.task.at(length).drawn(SAMPLES, SEED)
            error = (network(x)[..., 0] - y).double().square().mean() / y.double().square().mean()
            rows.append(
                {
                    "unit": cell.unit,
                    "operation": cell.operation,
                    "seed": seed,
                    "length": length,
                    "error": float(error.sqrt().nan_to_num(torch.inf)),
                }
            )
    return pd.DataFrame(rows)


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
