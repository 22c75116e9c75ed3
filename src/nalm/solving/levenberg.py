"""Levenberg–Marquardt in double precision, many starts at once.

Formally, with residuals r(θ) and their Jacobian J, one step solves

    (JᵀJ + λ·diag(JᵀJ))·δ = −Jᵀr

and moves θ to the nearest point of the box to θ + δ if that lowers ‖r‖², dividing λ by ten, or else
multiplies λ by ten. A parameter at its bound that would leave the box is held there for the step
(Marquardt 1963).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

LARGEST_DAMPING = 1e10
SMALLEST_DAMPING = 1e-14


@dataclass(frozen=True)
class Residuals:
    """A least-squares problem: residuals [R, N] of parameters [R, P], and these with Jacobian [R, N, P]."""

    evaluate: Callable[[Tensor], Tensor]
    linearise: Callable[[Tensor], tuple[Tensor, Tensor]]


@dataclass(frozen=True)
class Minimum:
    """Where every start ended.

    Attributes:
        parameters: [R, P].
        loss: mean square residual [R].
        converged: whether it stopped because steps no longer lowered the loss [R].
        iterations: steps tried, over all starts.
    """

    parameters: Tensor
    loss: Tensor
    converged: Tensor
    iterations: int


def levenberg_marquardt(
    problem: Residuals,
    start: Tensor,
    *,
    box: tuple[Tensor, Tensor] | None = None,
    damping: float | Tensor = 1e-8,
    iterations: int = 60,
    target: float = 0.0,
    tolerance: float = 1e-6,
    deadline: float | None = None,
) -> Minimum:
    """Minimise the sum of squares from every row of `start`.

    Args:
        problem: residuals and Jacobian.
        start: [R, P], a start per row.
        box: lower and upper bounds, each broadcastable to [P].
        damping: first λ, one for all starts or one each; small is nearly Gauss–Newton.
        iterations: steps tried per start.
        target: stop a start whose mean square residual is at most this.
        tolerance: stop a start whose accepted step lowers the loss by a smaller fraction.
        deadline: `time.monotonic()` after which to stop.

    Example:
        >>> x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
        >>> fit = levenberg_marquardt(
        ...     Residuals(lambda p: x**p - x**2, lambda p: (x**p - x**2, (x**p * x.log()).unsqueeze(-1))),
        ...     torch.ones(1, 1, dtype=torch.float64),
        ... )
        >>> round(fit.parameters.item(), 9)
        2.0
    """
    low, high = box if box is not None else (start.new_tensor(-torch.inf), start.new_tensor(torch.inf))
    point = start.clamp(low, high)
    loss = problem.evaluate(point).square().mean(dim=-1)
    damping = torch.as_tensor(damping, dtype=start.dtype).expand(len(start)).clone()
    converged = loss <= target
    active = torch.isfinite(loss) & ~converged
    system: dict[int, tuple[Tensor, Tensor]] = {}
    tried = 0
    while tried < iterations and bool(active.any()) and (deadline is None or time.monotonic() < deadline):
        tried += 1
        index = active.nonzero().squeeze(-1)
        _update(system, problem, point, index)
        normal, gradient = (
            torch.stack(parts) for parts in zip(*(system[i] for i in index.tolist()), strict=True)
        )
        trial, solvable = _step(point[index], normal, gradient, damping[index], low, high)
        trial_loss = problem.evaluate(trial).square().mean(dim=-1)
        better = solvable & (trial_loss < loss[index])  # false for NaN
        gain = torch.where(better, 1 - trial_loss / loss[index], torch.inf)
        damping[index] = torch.where(better, damping[index] / 10, (damping[index] * 10).clamp_min(1e-10))
        accepted = index[better]
        point[accepted], loss[accepted] = trial[better], trial_loss[better]
        for i in accepted.tolist():
            del system[i]
        finished = (loss[index] <= target) | (gain < tolerance) | (damping[index] > LARGEST_DAMPING)
        damping.clamp_(min=SMALLEST_DAMPING)
        converged[index[finished]] = True
        active[index[finished]] = False
    return Minimum(point, loss, converged, tried)


def _update(
    system: dict[int, tuple[Tensor, Tensor]], problem: Residuals, point: Tensor, index: Tensor
) -> None:
    """Put JᵀJ and Jᵀr of all starts that lack them into `system`."""
    stale = [i for i in index.tolist() if i not in system]
    if stale:
        residual, jacobian = problem.linearise(point[stale])
        normal, gradient = jacobian.mT @ jacobian, (jacobian.mT @ residual.unsqueeze(-1)).squeeze(-1)
        system.update(zip(stale, zip(normal, gradient, strict=True), strict=True))


def _step(
    point: Tensor, normal: Tensor, gradient: Tensor, damping: Tensor, low: Tensor, high: Tensor
) -> tuple[Tensor, Tensor]:
    """The damped Gauss–Newton point of every start, moved into the box, and whether it could be computed."""
    held = ((point <= low) & (gradient > 0)) | ((point >= high) & (gradient < 0))
    moves = (~held).to(normal.dtype)
    diagonal = normal.diagonal(dim1=-2, dim2=-1)
    floor = 1e-14 * diagonal.amax(dim=-1, keepdim=True)
    damped = normal * moves.unsqueeze(-1) * moves.unsqueeze(-2) if bool(held.any()) else normal.clone()
    damped.diagonal(dim1=-2, dim2=-1).add_(moves * (damping.unsqueeze(-1) * diagonal + floor) + (1 - moves))
    factor, failed = torch.linalg.cholesky_ex(damped)
    step = torch.cholesky_solve((-gradient * moves).unsqueeze(-1), factor).squeeze(-1)
    return (point + step).clamp(low, high), failed == 0
