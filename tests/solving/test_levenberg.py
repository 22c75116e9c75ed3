"""Levenberg–Marquardt on problems with known solutions."""

import pytest
import torch

from nalm.solving.levenberg import Residuals, levenberg_marquardt

T = torch.linspace(0, 2, 30, dtype=torch.float64)


def exponential(target):
    """y = p₁·exp(p₂·t)."""

    def evaluate(p):
        return p[:, :1] * (p[:, 1:] * T).exp() - target

    def linearise(p):
        growth = (p[:, 1:] * T).exp()
        return evaluate(p), torch.stack([growth, p[:, :1] * T * growth], dim=-1)

    return Residuals(evaluate, linearise)


def rosenbrock():
    def evaluate(p):
        return torch.stack([10 * (p[:, 1] - p[:, 0] ** 2), 1 - p[:, 0]], dim=-1)

    def linearise(p):
        zero, one = torch.zeros_like(p[:, 0]), torch.ones_like(p[:, 0])
        rows = [torch.stack([-20 * p[:, 0], 10 * one], dim=-1), torch.stack([-one, zero], dim=-1)]
        return evaluate(p), torch.stack(rows, dim=-2)

    return Residuals(evaluate, linearise)


def test_finds_the_parameters_from_many_starts():
    start = torch.tensor([[1.0, 0.0], [0.1, 1.0], [5.0, -1.0]], dtype=torch.float64)
    end = levenberg_marquardt(exponential(2 * (-0.7 * T).exp()), start)
    torch.testing.assert_close(end.parameters, start.new_tensor([[2.0, -0.7]]).expand(3, 2))
    assert bool(end.converged.all())
    assert float(end.loss.max()) < 1e-20


def test_follows_a_curved_valley():
    end = levenberg_marquardt(rosenbrock(), torch.tensor([[-1.2, 1.0]], dtype=torch.float64), damping=1e-2)
    torch.testing.assert_close(end.parameters, torch.ones(1, 2, dtype=torch.float64))


def test_stays_in_the_box_and_finds_the_minimum_on_its_edge():
    box = (torch.tensor([-3.0, -0.5], dtype=torch.float64), torch.tensor([3.0, 3.0], dtype=torch.float64))
    end = levenberg_marquardt(
        exponential(2 * (-0.7 * T).exp()), torch.zeros(1, 2, dtype=torch.float64) + 0.5, box=box
    )
    p1, p2 = end.parameters[0].tolist()
    assert p2 == -0.5
    growth = (-0.5 * T).exp()
    best = float((growth * 2 * (-0.7 * T).exp()).sum() / growth.square().sum())  # least squares in p₁ alone
    assert p1 == pytest.approx(best, rel=1e-5)


def test_starts_do_not_influence_each_other():
    problem = exponential(2 * (-0.7 * T).exp())
    start = torch.tensor([[1.0, 0.0], [50.0, 30.0], [0.1, 1.0]], dtype=torch.float64)
    together = levenberg_marquardt(problem, start, iterations=7).parameters
    alone = torch.cat([levenberg_marquardt(problem, row[None], iterations=7).parameters for row in start])
    torch.testing.assert_close(together, alone)


def test_a_start_without_a_value_is_left_alone():
    start = torch.tensor([[1.0, 1e4], [1.0, 0.0]], dtype=torch.float64)
    end = levenberg_marquardt(exponential(2 * (-0.7 * T).exp()), start)
    assert end.parameters[0].tolist() == [1.0, 1e4]
    assert not bool(end.converged[0])
    torch.testing.assert_close(end.parameters[1], start.new_tensor([2.0, -0.7]))


def test_stops_at_target_and_deadline():
    problem, start = exponential(2 * (-0.7 * T).exp()), torch.ones(1, 2, dtype=torch.float64)
    assert levenberg_marquardt(problem, start, target=1e9).iterations == 0
    assert levenberg_marquardt(problem, start, deadline=0.0).iterations == 0
