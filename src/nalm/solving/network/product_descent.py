"""The iterative fit of a product of powers of sums, y = Π_j (a_j·x)^e_j, for given exponents."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from nalm.solving.network.chain import Chain
from nalm.solving.network.minimise import SAME_MINIMUM, Minima, minimise
from nalm.solving.network.samples import FitSamples
from nalm.solving.numerics import TINY
from nalm.solving.numerics.levenberg_marquardt import FIRST_DAMPING
from nalm.units.forms import Kind

STRENGTHS = tuple(10.0**exponent for exponent in torch.linspace(-1, -7, 20).tolist())
"""Of the penalty on sums that are not sparse, first to last."""
SMALL = 0.1
"""Entries below this fraction of the largest count as small: the penalty drives them out."""
SPARSE_ITERATIONS, SPARSE_DAMPING = 4, 1e-3
"""At each strength; the next begins where this ended, so few and careful steps will do."""


@dataclass(frozen=True)
class Descent:
    """Where the best of several starts ended: sums [factors, I]; whether others ended there too."""

    rows: Tensor
    restarts: int
    converged: bool


def descend(train: FitSamples, powers: Tensor, start: Tensor, iterations: int, deadline: float) -> Descent:
    """Levenberg–Marquardt from every start [R, factors, I].

    The first descent is in the sums' slopes around the mean input and their values there, as if independent:
    far from zero the two differ in size so much that the way along x itself is a narrow, curved valley.
    """
    around, there = _around_mean(train, start)
    first = _minimise(around, train, powers, there, iterations, deadline)
    best = int(first.loss.argmin())
    agreeing = first.loss <= SAME_MINIMUM * first.loss[best]
    start = first.parameters[best].reshape(there.shape[1:])[None, :, :-1]
    enough = 2 * float(first.loss[best])
    end = _minimise(train.x, train, powers, start, iterations // 3, deadline, enough=enough)
    converged = bool(first.converged[best]) and (len(first.loss) == 1 or int(agreeing.sum()) > 1)
    return Descent(
        end.parameters[0].reshape(start.shape[1:]), len(first.loss) if iterations else 0, converged
    )


def descend_sparsely(train: FitSamples, powers: Tensor, start: Tensor, deadline: float) -> Tensor:
    """The end [1, factors, I] of a descent that prefers sums of few inputs, for few samples.

    Formally, Σ_i w_i·p_i² is added to the mean square, with w_i = strength / (|p_i| / max|p| + 0.1)² from the
    entries p of the step before: nearly the number of entries that are not zero. The strength is lowered to
    almost nothing.
    """
    around, point = _around_mean(train, start)
    for strength in STRENGTHS:
        sizes = point[..., :-1].norm(dim=-1, keepdim=True).clamp_min(TINY)
        point = point * (sizes.log().mean(dim=-2, keepdim=True).exp() / sizes)
        relative = point[..., :-1].abs() / point[..., :-1].abs().max().clamp_min(TINY)
        weights = torch.zeros_like(point[0])
        weights[:, :-1] = strength / ((relative[0] + SMALL).square() * point.shape[-1])
        point = _minimise(
            around,
            train,
            powers,
            point,
            SPARSE_ITERATIONS,
            deadline,
            damping=SPARSE_DAMPING,
            penalty=weights.flatten(),
        ).parameters.reshape(point.shape)
    return point[..., :-1]


def _around_mean(train: FitSamples, start: Tensor) -> tuple[Tensor, Tensor]:
    """Inputs as deviations from their mean and a constant; sums of them, each with its value at the mean."""
    mean = train.x.mean(dim=0)
    around = torch.cat([train.x - mean, torch.ones_like(train.x[:, :1])], dim=-1)
    return around, torch.cat([start, (start @ mean).unsqueeze(-1)], dim=-1)


def _minimise(
    x: Tensor,
    train: FitSamples,
    powers: Tensor,
    start: Tensor,
    iterations: int,
    deadline: float,
    *,
    damping: float = FIRST_DAMPING,
    enough: float = 0.0,
    penalty: Tensor | None = None,
) -> Minima:
    kinds, top = (Kind.SUM, Kind.POWER), powers.unsqueeze(0)
    # A penalty Σ w·p² beside the mean square is one more residual √(N·w)·p per entry.
    root = None if penalty is None else (len(x) * penalty).sqrt()

    def chain(parameters: Tensor) -> Chain:
        return Chain(kinds, (parameters.reshape(-1, *start.shape[1:]), top))

    def evaluate(parameters: Tensor) -> Tensor:
        residual = (chain(parameters)(x).squeeze(-1) - train.y) / train.scale
        return residual if root is None else torch.cat([residual, root * parameters], dim=-1)

    def linearise(parameters: Tensor) -> tuple[Tensor, Tensor]:
        value, slope = chain(parameters).linearise(x, learnt=(True, False))
        residual, slope = (
            (value.squeeze(-1) - train.y) / train.scale,
            slope.squeeze(-2) / train.scale.unsqueeze(-1),
        )
        if root is None:
            return residual, slope
        extra = torch.diag(root).expand(len(parameters), -1, -1)
        return torch.cat([residual, root * parameters], dim=-1), torch.cat([slope, extra], dim=-2)

    return minimise(
        evaluate,
        linearise,
        start.flatten(-2),
        iterations=iterations,
        damping=damping,
        target=max(train.rounding_floor, enough),
        deadline=deadline,
    )
