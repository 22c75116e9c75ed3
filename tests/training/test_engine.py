import dataclasses
import random

import numpy as np
import pytest
import torch

from nalm import Architecture, Layer, Ramp, Recipe, Run, initial_parameters, train
from nalm.measuring import single_module_threshold
from nalm.tasks import single_module, two_layer
from nalm.tasks.arithmetic import RANGES
from nalm.units.restart import Restart


def network(*layers):
    return Architecture(tuple(Layer(*layer) for layer in layers))


def same(a, b):
    rows = all(
        np.array_equal(getattr(a, name), getattr(b, name), equal_nan=True)
        for name in ("validation", "test", "sparsity")
    )
    return rows and all(np.array_equal(a.weights[k], b.weights[k], equal_nan=True) for k in a.weights)


def first_solved(curve, threshold):
    solved = curve.iterations[curve.test < threshold]
    return int(solved[0]) if len(solved) else None


REAL_NPU = [
    Run(
        network(("RealNPU", 2, 1)),
        single_module(operation, interpolation=label),
        Recipe(iterations=300, evaluate_every=100, learning_rate=5e-3),
        seed,
    )
    for seed in range(4)
    for operation in ("mul", "div")
    for label in RANGES
]


def test_a_runs_result_does_not_depend_on_company_or_order_to_the_last_bit():
    together = dict(zip(REAL_NPU, train(REAL_NPU), strict=True))
    shuffled = random.Random(0).sample(REAL_NPU, len(REAL_NPU))
    assert all(same(together[run], curve) for run, curve in zip(shuffled, train(shuffled), strict=True))
    for run in REAL_NPU[3::30]:
        assert same(together[run], train([run])[0])


def test_a_diverging_run_is_recorded_and_harms_no_neighbour():
    good = REAL_NPU[:9]
    bad = dataclasses.replace(REAL_NPU[4], recipe=dataclasses.replace(REAL_NPU[4].recipe, learning_rate=1e30))
    *curves, lost = train([*good, bad])
    assert lost.diverged_at is not None
    assert np.isnan(lost.test[lost.iterations > lost.diverged_at]).all()
    assert np.isfinite(lost.test[0])
    for curve, alone in zip(curves, train(good), strict=True):
        assert curve.diverged_at is None
        assert same(curve, alone)


def test_replay_gives_the_published_solving_steps_of_the_nmu():
    recipe = Recipe(iterations=3000, penalties=(("sparse", Ramp(10.0, 20_000, 35_000)),))
    runs = [Run(network(("NMU", 2, 1)), single_module("mul"), recipe, seed) for seed in range(3)]
    threshold = single_module_threshold(runs[0].task)
    assert [first_solved(curve, threshold) for curve in train(runs, replay=True)] == [3000] * 3


def test_replay_gives_the_published_solving_steps_of_two_nau_layers():
    recipe = Recipe(iterations=5000, penalties=(("sparse", Ramp(0.01, 5000, 50_000)),))
    nets = network(("NAU", 100, 2), ("NAU", 2, 1))
    runs = [Run(nets, two_layer("sub"), recipe, seed) for seed in range(4)]
    found = [first_solved(curve, 1.38437e-8) for curve in train(runs, replay=True)]
    assert found == [5000, 5000, 5000, 4000]


@pytest.mark.usefixtures("eager")
def test_a_stalled_run_starts_over_with_new_parameters_and_says_when():
    recipe = Recipe(
        iterations=12,
        evaluate_every=4,
        learning_rate=1e-30,
        restart=Restart(every=2, window=4, threshold=0.0),
    )
    run = Run(network(("INALU", 2, 1)), single_module("mul"), recipe, seed=0)
    (curve,) = train([run])
    # Five errors are stored at iteration 4 for the first time. The new start is better than the old one, and
    # at iteration 10 the errors since are three of the old and three of the new: it counts as improving.
    assert curve.restarts == (4,)
    before, at_restart, after, end = curve.validation
    assert before == at_restart
    assert after == end
    assert after < before


@pytest.mark.usefixtures("eager")
def test_a_run_starts_over_after_the_update_and_not_before():
    rule = Restart(every=2, window=4, threshold=0.0)
    recipe = Recipe(iterations=6, evaluate_every=1, restart=rule)
    # Uphill, so that the run stalls while its weights move; a recipe of one's own cannot ask for that.
    object.__setattr__(recipe, "learning_rate", -1e-2)
    run = Run(network(("INALU", 2, 1)), single_module("mul"), recipe, seed=0)
    (curve,) = train([run])
    assert curve.restarts == (4,)
    fresh = network(("INALU", 2, 1)).build().eval()
    fresh.load_state_dict(initial_parameters(run.architecture, seed=0, redraws=2))
    x, y, *_ = run.task.evaluation_sets(0)
    with torch.no_grad():
        error = (fresh(x) - y).square().mean().item()
    # Row 5 shows the network after iteration 4: newly drawn, and not yet updated.
    assert curve.validation[5] == pytest.approx(error, rel=1e-5)
    assert curve.validation[6] != curve.validation[5]


@pytest.mark.usefixtures("eager")
def test_progress_counts_every_run_iteration():
    runs = [
        Run(network(("NMU", 2, 1)), single_module("mul"), Recipe(iterations=4, evaluate_every=2), seed)
        for seed in range(3)
    ]
    counted = []
    train(runs, progress=counted.append)
    assert sum(counted) == 12


@pytest.mark.usefixtures("eager")
def test_rows_show_the_network_before_the_update():
    run = Run(network(("NMU", 2, 1)), single_module("mul"), Recipe(iterations=2, evaluate_every=1), seed=0)
    (curve,) = train([run])
    assert list(curve.iterations) == [0, 1, 2]
    longer = dataclasses.replace(run, recipe=Recipe(iterations=4, evaluate_every=2))
    np.testing.assert_array_equal(train([longer])[0].test[:2], curve.test[::2])


def test_a_sample_of_exactly_zero_is_not_divided_by():
    # At iteration 129 of this seed, a number of 24 bits is ½: the middle of [−2, 2).
    run = Run(
        network(("NRU", 2, 1)),
        single_module("div", interpolation="[-2, 2)"),
        Recipe(iterations=200, evaluate_every=100),
        seed=262,
    )
    assert train([run])[0].diverged_at is None
