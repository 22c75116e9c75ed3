"""Levenberg–Marquardt on problems with known solutions."""

import numpy as np
import pytest

from nalm.solving.numerics.levenberg_marquardt import Residuals, levenberg_marquardt

T = np.linspace(0, 2, 30)
TRUTH = 2 * np.exp(-0.7 * T)


def exponential(target):
    """y = p₁·exp(p₂·t)."""

    def evaluate(p, _):
        with np.errstate(over="ignore"):
            return p[:, :1] * np.exp(p[:, 1:] * T) - target

    def linearise(p, which):
        growth = np.exp(p[:, 1:] * T)
        return evaluate(p, which), np.stack([growth, p[:, :1] * T * growth], axis=-1)

    return Residuals(evaluate, linearise)


def rosenbrock():
    def evaluate(p, _):
        return np.stack([10 * (p[:, 1] - p[:, 0] ** 2), 1 - p[:, 0]], axis=-1)

    def linearise(p, which):
        zero, one = np.zeros(len(p)), np.ones(len(p))
        rows = [np.stack([-20 * p[:, 0], 10 * one], axis=-1), np.stack([-one, zero], axis=-1)]
        return evaluate(p, which), np.stack(rows, axis=-2)

    return Residuals(evaluate, linearise)


@pytest.mark.parametrize("orthogonal", [False, True])
def test_finds_the_parameters_from_many_starts(orthogonal):
    start = np.array([[1.0, 0.0], [0.1, 1.0], [5.0, -1.0]])
    end = levenberg_marquardt(exponential(TRUTH), start, orthogonal=orthogonal)
    np.testing.assert_allclose(end.parameters, [[2.0, -0.7]] * 3, rtol=1e-6)
    assert end.converged.all()
    assert end.loss.max() < 1e-20


def test_orthogonal_steps_keep_the_last_digits():
    columns = np.vander(np.linspace(1, 1.1, 200), 5)  # the condition of JᵀJ is beyond doubles
    truth = np.array([1.0, -2.0, 3.0, -4.0, 5.0])
    problem = Residuals(
        lambda p, _: (p - truth) @ columns.T,
        lambda p, _: ((p - truth) @ columns.T, columns[None].repeat(len(p), axis=0)),
    )
    normal, orthogonal = (
        levenberg_marquardt(problem, np.zeros((1, 5)), orthogonal=choice, patience=3).loss[0]
        for choice in (False, True)
    )
    assert orthogonal < 1e-24
    assert orthogonal < 1e-3 * normal


@pytest.mark.parametrize("orthogonal", [False, True])
def test_follows_a_curved_valley(orthogonal):
    end = levenberg_marquardt(rosenbrock(), np.array([[-1.2, 1.0]]), damping=1e-2, orthogonal=orthogonal)
    np.testing.assert_allclose(end.parameters, np.ones((1, 2)))


def test_stays_in_the_box_and_finds_the_minimum_on_its_edge():
    box = (np.array([-3.0, -0.5]), np.array([3.0, 3.0]))
    end = levenberg_marquardt(exponential(TRUTH), np.full((1, 2), 0.5), box=box)
    assert end.parameters[0, 1] == -0.5
    growth = np.exp(-0.5 * T)
    best = (growth @ TRUTH) / (growth @ growth)  # least squares in p₁ alone
    assert end.parameters[0, 0] == pytest.approx(best, rel=1e-5)


@pytest.mark.parametrize("orthogonal", [False, True])
def test_parameters_that_are_not_free_stay(orthogonal):
    end = levenberg_marquardt(
        exponential(TRUTH), np.array([[1.0, 0.0]]), free=np.array([1.0, 0.0]), orthogonal=orthogonal
    )
    assert end.parameters[0, 1] == 0.0
    assert end.parameters[0, 0] == pytest.approx(TRUTH.mean())


def test_starts_do_not_influence_each_other():
    problem = exponential(TRUTH)
    start = np.array([[1.0, 0.0], [50.0, 30.0], [0.1, 1.0]])
    together = levenberg_marquardt(problem, start, iterations=7).parameters
    alone = [levenberg_marquardt(problem, row[None], iterations=7).parameters[0] for row in start]
    np.testing.assert_allclose(together, alone, rtol=1e-12)


def test_a_problem_may_differ_by_start():
    targets = np.array([1.0, 2.0, 3.0])[:, None] * np.ones(5)
    problem = Residuals(
        lambda p, which: p - targets[which], lambda p, which: (p - targets[which], np.ones((len(p), 5, 1)))
    )
    np.testing.assert_allclose(
        levenberg_marquardt(problem, np.zeros((3, 1))).parameters[:, 0], [1, 2, 3], rtol=1e-7
    )


def test_a_start_without_a_value_is_left_alone():
    end = levenberg_marquardt(exponential(TRUTH), np.array([[1.0, 1e4], [1.0, 0.0]]))
    assert end.parameters[0].tolist() == [1.0, 1e4]
    assert not end.converged[0]
    assert end.loss[0] == np.inf
    np.testing.assert_allclose(end.parameters[1], [2.0, -0.7], rtol=1e-6)


def test_stops_at_target_and_deadline():
    problem, start = exponential(TRUTH), np.ones((1, 2))
    assert levenberg_marquardt(problem, start, target=1e9).iterations == 0
    assert levenberg_marquardt(problem, start, deadline=0.0).iterations == 0
