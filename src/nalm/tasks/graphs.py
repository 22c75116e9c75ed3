"""Shortest paths on random graphs, by Bellman and Ford's algorithm with any relaxation step."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

EDGES = 0.3
"""Probability of an edge between two nodes, in either direction."""

Relaxation = Callable[[Tensor], Tensor]
"""From (distance, weight) pairs [batch, length, 2], the node's own first, to new distances [batch, 1]."""


def random_graphs(count: int, nodes: int, magnitude: float, seed: int) -> Tensor:
    """Weights of edges [count, from, to] on [0, magnitude); where there is no edge, more than any path's.

    Example:
        >>> random_graphs(3, 4, 10.0, seed=0).shape
        torch.Size([3, 4, 4])
    """
    generator = torch.Generator().manual_seed(seed)
    weights, coin = torch.rand(2, count, nodes, nodes, generator=generator)
    return torch.where(coin < EDGES, magnitude * weights, absent(nodes, magnitude))


def absent(nodes: int, magnitude: float) -> float:
    """The weight that stands for no edge: longer than any path."""
    return nodes * magnitude


def exact_relaxation(x: Tensor) -> Tensor:
    """min_k (distance_k + weight_k), as Bellman and Ford have it."""
    return x.sum(dim=-1).amin(dim=-1, keepdim=True)


def shortest_paths(weights: Tensor, relax: Relaxation, magnitude: float) -> Tensor:
    """Distances of all nodes from the first one: [count, nodes].

    Args:
        weights: of the edges, as `random_graphs` gives them.
        relax: what a node's new distance is.
        magnitude: of the weights.

    Example:
        >>> far = absent(3, 10.0)
        >>> weights = torch.tensor([[[far, 1.0, 5.0], [far, far, 2.0], [far, far, far]]])
        >>> shortest_paths(weights, exact_relaxation, 10.0)
        tensor([[0., 1., 3.]])
    """
    count, nodes, _ = weights.shape
    distances = torch.full((count, nodes), absent(nodes, magnitude))
    distances[:, 0] = 0
    for _ in range(nodes - 1):
        own = torch.stack([distances, torch.zeros_like(distances)], dim=-1).unsqueeze(2)
        sources = distances.unsqueeze(1).expand(-1, nodes, -1)
        others = torch.stack([sources, weights.mT], dim=-1)
        sequences = torch.cat([own, others], dim=2)
        distances = relax(sequences.flatten(0, 1)).view(count, nodes)
    return distances
