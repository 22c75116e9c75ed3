"""Chunks of different networks in lockstep: each run as if it were trained alone."""

import numpy as np
import pytest

from nalm import Architecture, Layer, Recipe, Run, chunks
from nalm.tasks import two_layer
from nalm.training.checkpoint import Checkpoints
from nalm.training.engine import train_chunks
from nalm.training.structure import together
from nalm.units.restart import Restart

RECIPE = Recipe(iterations=30, evaluate_every=10)
RESTARTING = Recipe(iterations=30, evaluate_every=10, restart=Restart(every=7, window=3, threshold=0.0))
NETWORKS = ("NAU", "NMU"), ("NACAdd", "NACMul"), ("SNMU", "NMU")


def work():
    recipes = RECIPE, RESTARTING, RECIPE
    return chunks(
        Run(Architecture((Layer(first, 100, 2), Layer(second, 2, 1))), two_layer("mul"), recipe, seed)
        for (first, second), recipe in zip(NETWORKS, recipes, strict=True)
        for seed in range(3)
    )


def alone():
    return [(chunk, curves) for own in work() for chunk, curves in train_chunks([own])]


def assert_same(found, expected):
    assert [chunk for chunk, _ in found] == [chunk for chunk, _ in expected]
    for (_, ours), (_, theirs) in zip(found, expected, strict=True):
        for a, b in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(a.test, b.test)
            np.testing.assert_array_equal(a.sparsity, b.sparsity)
            assert a.restarts == b.restarts
            for name in a.weights:
                np.testing.assert_array_equal(a.weights[name], b.weights[name])


def test_the_curves_are_those_of_each_chunk_alone():
    assert together(work()) == [tuple(work())]
    expected = alone()
    assert any(curve.restarts for _, curves in expected for curve in curves)
    done = []
    assert_same(list(train_chunks(work(), progress=done.append)), expected)
    assert sum(done) == 3 * 3 * 30


class Stopped(Exception):
    pass


def test_chunks_resume_together_wherever_each_was(tmp_path):
    """The first stands at a later row than the others, which catch up."""
    checkpoints = Checkpoints(tmp_path, every=0.0)

    def stop_after(count):
        done = []

        def progress(run_iterations):
            done.append(run_iterations)
            if len(done) == count:
                raise Stopped

        return progress

    with pytest.raises(Stopped):
        list(train_chunks(work()[:1], progress=stop_after(3), checkpoints=checkpoints))
    assert len(list(tmp_path.glob("*.pt"))) == 1
    with pytest.raises(Stopped):
        list(train_chunks(work()[1:], progress=stop_after(9), checkpoints=checkpoints))
    done = []
    found = list(train_chunks(work(), progress=done.append, checkpoints=checkpoints))
    assert_same(found, alone())
    assert sum(done) == 3 * 3 * 30
