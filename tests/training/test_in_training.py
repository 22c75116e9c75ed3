"""Chunks of different networks in lockstep: each run as if it were trained alone."""

from dataclasses import replace

import numpy as np
import pytest

from nalm import Architecture, Layer, Recipe, Run, chunks, train
from nalm.tasks import two_layer
from nalm.training import engine, execution
from nalm.training.checkpoint import Checkpoints
from nalm.training.engine import train_chunks
from nalm.training.execution import advance_together
from nalm.training.stopping import Stop
from nalm.training.structure import Structure, together
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


@pytest.mark.parametrize("unit", ["NAU", "GatedNAUNMU"])
def test_batches_that_are_made_apart_change_no_bit(monkeypatch, unit):
    second = "NMU" if unit == "NAU" else unit
    runs = [
        Run(Architecture((Layer(unit, 100, 2), Layer(second, 2, 1))), two_layer(operation), RECIPE, seed)
        for operation in (("mul", "add") if unit == "NAU" else ("mul",))
        for seed in range(3)
    ]
    apart = train(runs)
    monkeypatch.setattr(Structure, "shares_batches", False)
    execution._kept.clear()
    for ours, theirs in zip(apart, train(runs), strict=True):
        np.testing.assert_array_equal(ours.test, theirs.test)
        for name in ours.weights:
            np.testing.assert_array_equal(ours.weights[name], theirs.weights[name])
    execution._kept.clear()


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


NAU = Architecture((Layer("NAU", 4, 1),))
GOES_ON = Recipe(iterations=80, evaluate_every=10, learning_rate=3e-3)


def stopping_work():
    """Runs that go on, and the same with a rule by which each of five touches another row, the fifth none."""
    whole = train(whole_runs())
    runs = []
    for place, (run, curve) in enumerate(zip(whole_runs(), whole, strict=True)):
        below = float(curve.test[place % 5]) * 1.001 if place % 5 else 1e-30
        runs.append(replace(run, recipe=replace(run.recipe, stop=Stop(below, rows=2))))
    return whole, runs


def whole_runs():
    return [Run(NAU, two_layer("add", inputs=4), GOES_ON, seed) for seed in range(20)]


def assert_stopped_alike(curves, whole):
    for place, (curve, other) in enumerate(zip(curves, whole, strict=True)):
        rows = len(curve.iterations)
        assert rows == (place % 5 + 3 if place % 5 else 9)
        assert curve.stopped_at == (10 * (rows - 1) if place % 5 else None)
        np.testing.assert_array_equal(curve.iterations, other.iterations[:rows])
        for column in ("validation", "test", "sparsity"):
            np.testing.assert_array_equal(getattr(curve, column), getattr(other, column)[:rows])


def test_a_stopped_run_is_the_first_part_of_the_one_that_goes_on():
    whole, runs = stopping_work()
    (chunk,) = chunks(runs)
    done = []
    ((_, curves),) = train_chunks([chunk], progress=done.append)
    assert_stopped_alike(curves, whole)
    assert sum(done) == 20 * 80


def test_the_weights_of_a_stopped_run_are_those_where_it_stopped():
    _, runs = stopping_work()
    stopped = train(runs)[1]
    assert stopped.stopped_at == 30
    (there,) = train([replace(runs[1], recipe=replace(GOES_ON, iterations=30))])
    np.testing.assert_array_equal(stopped.weights["layers.0.weight"], there.weights["layers.0.weight"])


def test_a_decided_run_frees_its_place(monkeypatch):
    _, runs = stopping_work()
    places = []

    def spy(stretches, first, last):
        places.append([len(own.seeds) for own in stretches])
        return advance_together(stretches, first, last)

    monkeypatch.setattr(engine, "advance_together", spy)
    train(runs)
    assert places == [[20], [20], [20], [16], [12], [8], [4], [4]]


def test_a_stopped_run_stays_stopped_when_its_chunk_resumes(tmp_path):
    whole, runs = stopping_work()
    work, checkpoints = chunks(runs), Checkpoints(tmp_path, every=0.0)

    def stop_late(run_iterations):
        if len(list(tmp_path.glob("*.pt"))) and run_iterations == 40:
            raise Stopped

    with pytest.raises(Stopped):
        list(train_chunks(work, progress=stop_late, checkpoints=checkpoints))
    ((_, curves),) = train_chunks(work, checkpoints=checkpoints)
    assert_stopped_alike(curves, whole)


def test_a_chunk_whose_runs_are_all_decided_is_finished():
    (run,) = [replace(run, recipe=replace(GOES_ON, stop=Stop(1e9, rows=1))) for run in whole_runs()[:1]]
    done = []
    ((_, (curve,)),) = train_chunks(chunks([run]), progress=done.append)
    assert curve.iterations.tolist() == [0, 10]
    assert sum(done) == 80


def test_a_diverged_run_frees_its_place_too(monkeypatch):
    wild = [replace(run, recipe=replace(GOES_ON, learning_rate=1e38)) for run in whole_runs()[:2]]
    runs = [*whole_runs()[2:4], *wild]
    places = []

    def spy(stretches, first, last):
        places.append(sum(len(own.seeds) for own in stretches))
        return advance_together(stretches, first, last)

    monkeypatch.setattr(engine, "advance_together", spy)
    linear = Architecture((Layer("Linear", 4, 1),))
    assert train([replace(run, architecture=linear) for run in runs])[2].diverged_at is not None
    assert places[0] == 4
    assert places[-1] == 2
