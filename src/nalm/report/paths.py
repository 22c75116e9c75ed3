"""Shortest paths by networks that learnt one step of Bellman and Ford's algorithm."""

from __future__ import annotations

import numpy as np
import torch

from nalm.report.markdown import table
from nalm.report.restored import restored_networks
from nalm.report.results import Results
from nalm.store import Store
from nalm.tasks.graphs import absent, exact_relaxation, random_graphs, shortest_paths

NODES = (5, 10, 20)
MAGNITUDES = (1.0, 10.0, 100.0)
GRAPHS = 20
SEED = 10_000
WITHIN = 0.01
"""A distance counts as right if it is off by less than this share of the largest edge weight."""


@torch.no_grad()
def path_page(results: Results, store: Store) -> str:
    """The share of nodes whose distance is right, by size of the graph and of the weights, as Markdown."""
    shares: dict[str, list[list[float]]] = {}
    cases = []
    for magnitude in MAGNITUDES:
        for nodes in NODES:
            graphs = random_graphs(GRAPHS, nodes, magnitude, SEED)
            exact = shortest_paths(graphs, exact_relaxation, magnitude)
            reached = exact < absent(nodes, magnitude)
            reached[:, 0] = False
            cases.append((magnitude, nodes, graphs, exact, reached))
    for cell, _, network, _ in restored_networks(results, store):
        if cell.operation != "relax":
            continue
        row = []
        for magnitude, _, graphs, exact, reached in cases:
            found = shortest_paths(graphs, network, magnitude)
            right = (found - exact).abs() < WITHIN * magnitude
            row.append(float(right[reached].float().mean()))
        shares.setdefault(cell.unit, []).append(row)
    if not shares:
        return ""
    head = ["network", "weights", *(f"{nodes} nodes" for nodes in NODES)]
    lines = []
    for unit, rows in shares.items():
        medians = np.median(rows, axis=0).reshape(len(MAGNITUDES), len(NODES))
        perfect = (np.array(rows) > 0.99).mean(axis=0).reshape(medians.shape)
        for magnitude, middle, all_right in zip(MAGNITUDES, medians, perfect, strict=True):
            entries = (f"{m:.2f} ({p:.2f})" for m, p in zip(middle, all_right, strict=True))
            lines.append([unit, f"[0, {magnitude:g})", *entries])
    words = (
        f"Random graphs with an edge between two nodes with probability 0.3, {GRAPHS} of each size: the "
        "median share of reachable nodes whose distance from the first node is right to 1 % of the largest "
        "weight, and in brackets the share of seeds with more than 99 % right. Trained on ten (distance, "
        "weight) pairs on [0, 10)."
    )
    return f"\n### Shortest paths by message passing\n\n{words}\n\n{table(head, lines)}\n"
