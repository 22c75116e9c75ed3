import numpy as np
import pytest
import torch

from nalm import Architecture, Layer, Recipe, Run
from nalm.tasks import single_module
from nalm.training.restarts import Restarts, _first_due
from nalm.units.restart import Restart


def by_the_book(rule, history, latest, start, end):
    """The rule applied iteration by iteration to the list of stored errors."""
    losses = [value for value, count in history for _ in range(count)]
    for iteration in range(start, end):
        losses.append(latest)
        if iteration % rule.every == 0 and bool(rule.due(torch.tensor(losses, dtype=torch.float64))):
            return iteration
    return None


@pytest.mark.parametrize("seed", range(20))
def test_the_plan_agrees_with_the_rule_applied_at_every_iteration(seed):
    rng = np.random.default_rng(seed)
    rule = Restart(every=int(rng.integers(1, 12)), window=int(rng.integers(20, 200)), threshold=1.0)
    history = [(float(rng.exponential(3)), int(rng.integers(1, 60))) for _ in range(rng.integers(0, 6))]
    start = sum(count for _, count in history)
    arguments = (rule, history, float(rng.exponential(3)), start, start + 100)
    assert _first_due(*arguments) == by_the_book(*arguments)


def test_the_earliest_restart_of_the_published_rule():
    stalled = [(2.0, 1000)] * 5
    assert _first_due(Restart(), stalled[:4], 2.0, 4000, 5000) is None
    assert _first_due(Restart(), stalled, 2.0, 5000, 6000) == 5000


def test_a_run_below_the_threshold_or_still_improving_goes_on():
    assert _first_due(Restart(), [(0.5, 5000)], 0.5, 5000, 6000) is None
    assert _first_due(Restart(), [(1000.0, 3000), (2.0, 2000)], 2.0, 5000, 6000) is None


def stored_one_by_one(rule, validation, every):
    """All restarts of a run, by the loop of the reference: store an error after each update, then check."""
    losses, found = [], []
    for iteration in range(len(validation) * every):
        losses.append(validation[iteration // every])
        if iteration % rule.every == 0 and bool(rule.due(torch.tensor(losses, dtype=torch.float64))):
            found.append(iteration)
            losses = []
    return tuple(found)


@pytest.mark.parametrize("window", [1, 3, 17])
def test_a_run_may_start_over_several_times_between_two_evaluations(window):
    rule = Restart(every=2, window=window, threshold=1.0)
    recipe = Recipe(iterations=60, evaluate_every=10, restart=rule)
    run = Run(Architecture((Layer("INALU", 2, 1),)), single_module("mul"), recipe, seed=0)
    validation = [5.0, 5.0, 2.0, 0.5, 3.0, 3.0]
    restarts = Restarts([run])
    cuts = []
    for row, error in enumerate(validation):
        cuts += restarts.plan(10 * row, 10 * row + 10, [error], {0})
    expected = stored_one_by_one(rule, validation, every=10)
    assert expected
    assert restarts.done(0) == expected == tuple(cuts)
