"""From which starting points an NMU learns −2 × −1.8 (002 section 4.2, figure 4.3)."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import torch

from nalm.units.registry import find_unit

SAMPLE = (-2.0, -1.8)
"""The only sample; one caption says −2.1 × −1.8, the text and the other −2 × −1.8."""
ITERATIONS, LEARNING_RATE, STEP = 2500, 1e-3, 0.05


@dataclass(frozen=True)
class Journeys:
    """Where each starting point led.

    Attributes:
        starts: [starts, 2], the grid over [0, 1]².
        ends: [starts, 2], the weights after training.
    """

    starts: np.ndarray
    ends: np.ndarray

    @property
    def success(self) -> np.ndarray:
        """Whether the end rounds to (1, 1), the only product of all inputs."""
        return np.asarray((self.ends > 0.5).all(axis=1))

    @property
    def rate(self) -> float:
        """The share of starts that succeed."""
        return float(self.success.mean())


@functools.cache
def journeys(unit: str, step: float = STEP, iterations: int = ITERATIONS, seed: int = 0) -> Journeys:
    """Train a unit from every point of a grid, by plain gradient descent without a penalty.

    All starts are outputs of one unit; outputs do not touch each other. A stochastic unit's noise is drawn
    anew in every iteration and shared by the starts.

    Args:
        unit: a multiplying unit with one weight per input.
        step: of the grid.
        iterations: of gradient descent.
        seed: of the noise.
    """
    axis = torch.linspace(0, 1, round(1 / step) + 1)
    starts = torch.cartesian_prod(axis, axis)
    module = find_unit(unit)(2, len(starts)).train()
    module.assign(weight=starts)
    (weight,) = module.parameters()
    target = SAMPLE[0] * SAMPLE[1]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        for _ in range(iterations):
            error = (module(only_sample()) - target).square().sum()
            (gradient,) = torch.autograd.grad(error, weight)
            with torch.no_grad():
                weight.sub_(LEARNING_RATE * gradient)
            module.project()
    return Journeys(starts.numpy(), weight.detach().numpy().copy())


def only_sample(dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """The sample as a batch of one."""
    return torch.tensor([SAMPLE], dtype=dtype)
