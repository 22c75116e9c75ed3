"""What a chunk reads: settings, tables and evaluation sets of its runs."""

import numpy as np
import torch

from nalm import Architecture, Layer, Ramp, Recipe, Run, Triggered, chunks
from nalm.tasks import single_module
from nalm.tasks.arithmetic import RANGES
from nalm.training.feed import Feed

PLAIN = Recipe()
NMU = Architecture((Layer("NMU", 2, 1),))


def feed(recipes=(PLAIN,), ranges=tuple(RANGES), seeds=range(3)):
    runs = [
        Run(NMU, single_module("mul", interpolation=label), recipe, seed)
        for recipe in recipes
        for label in ranges
        for seed in seeds
    ]
    (chunk,) = chunks(runs)
    return chunk, Feed(chunk)


def test_runs_of_a_range_share_their_evaluation_inputs_and_targets():
    chunk, fed = feed()
    validation, test = fed.evaluation
    assert (validation.column, test.column) == ("validation", "test")
    assert len(validation.x) == len(test.x) == len(validation.y) == len(test.y) == len(RANGES)
    assert validation.targets_go_with_inputs
    assert test.targets_go_with_inputs
    for run, row, target in zip(chunk.runs, test.row, test.target, strict=True):
        _, _, x, y = run.task.evaluation_sets(run.seed)
        assert torch.equal(test.x[row], x)
        assert torch.equal(test.y[target], y[:, 0])


def test_targets_differ_where_the_operands_do():
    network = Architecture((Layer("NMU", 10, 1),))
    runs = [Run(network, single_module("mul", 10), PLAIN, seed) for seed in range(3)]
    validation, _ = Feed(chunks(runs)[0]).evaluation
    assert len(validation.x) == 1
    assert (len(validation.y), validation.target) == (2, [0, 0, 1])  # seeds 0 and 1 draw the same place
    assert not validation.targets_go_with_inputs
    assert validation.of([0, 1]).targets_go_with_inputs


def test_settings_are_the_runs_own():
    chunk, fed = feed([Recipe(learning_rate=rate) for rate in (0.1, 0.2)], ranges=["[1, 2)"])
    rates = [run.recipe.learning_rate for run in chunk.runs]
    np.testing.assert_allclose(fed.settings.learning_rate, rates)
    np.testing.assert_allclose(fed.settings.task["sampling.low"], np.ones((6, 2)))


def test_runs_with_the_same_schedule_share_a_row_of_strengths():
    ramps = [Recipe(penalties=(("sparse", Ramp(strength, 0, 10)),)) for strength in (1.0, 3.0)]
    chunk, fed = feed(ramps, ranges=["[1, 2)"])
    values, row = fed.tables(5, 7, [0.0] * 6, range(6)).per_run["penalties"]
    assert values.shape == (2, 2, 1)
    strengths = values[:, row, 0]
    expected = [run.recipe.penalties[0][1](5) for run in chunk.runs]
    np.testing.assert_allclose(strengths[0], expected)


def test_a_schedule_that_looks_at_the_error_sees_the_runs_own():
    trigger = Recipe(penalties=(("sparse", Triggered(2.0, after=0, below=1.0)),))
    _, fed = feed([trigger], ranges=["[1, 2)"])
    values, row = fed.tables(5, 6, [0.5, 1.5, 0.5], range(3)).per_run["penalties"]
    assert values[0, row, 0].tolist() == [2.0, 0.0, 2.0]


def test_steps_shrink_linearly_in_the_last_iterations():
    _, fed = feed((Recipe(iterations=1000, evaluate_every=100, cooldown=400),), ranges=("[1, 2)",))
    _, plain = feed((Recipe(iterations=1000, evaluate_every=100),), ranges=("[1, 2)",))
    warm, usual = (own.tables(500, 1000, [np.nan] * 3, [0, 1, 2]) for own in (fed, plain))
    np.testing.assert_allclose(warm.warmth[[0, 100, 300, 499]], [1.0, 1.0, 0.5, 1 / 400])
    first, second = (tables.common["corrections"] for tables in (warm, usual))
    np.testing.assert_allclose(first[:, 0], second[:, 0] * torch.tensor(warm.warmth), rtol=1e-6)
    assert torch.equal(first[:, 1], second[:, 1])
    assert (usual.warmth == 1).all()


def test_runs_that_cool_down_at_other_times_are_not_trained_together():
    runs = [
        Run(NMU, single_module("mul"), Recipe(iterations=1000, evaluate_every=100, cooldown=c), 0)
        for c in (0, 400)
    ]
    assert sorted(chunk.cooldown for chunk in chunks(runs)) == [0, 400]
