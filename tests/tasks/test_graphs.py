"""Shortest paths, against scipy's."""

import numpy as np
from scipy.sparse.csgraph import bellman_ford

from nalm.tasks.graphs import absent, exact_relaxation, random_graphs, shortest_paths


def test_distances_are_those_of_scipy() -> None:
    graphs = random_graphs(5, 8, 10.0, seed=3)
    found = shortest_paths(graphs, exact_relaxation, 10.0)
    for weights, distances in zip(graphs.double().numpy(), found.numpy(), strict=True):
        edges = np.where(weights < absent(8, 10.0), weights, 0)
        expected = bellman_ford(edges, indices=0)
        reached = np.isfinite(expected)
        assert np.allclose(distances[reached], expected[reached], atol=1e-4)
        assert (distances[~reached] == absent(8, 10.0)).all()
