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

import numpy as np

from nalm.solving.numerics import Array

SMALLEST_DAMPING, LARGEST_DAMPING = 1e-20, 1e10
"""Below the first a step is Gauss–Newton to rounding; beyond the second it no longer moves anything."""
FIRST_DAMPING = 1e-8
"""Nearly Gauss–Newton: what is fitted is nearly linear or begins near its end."""
TENFOLD = 10.0
"""By which λ is raised and lowered (Marquardt 1963)."""
IDLE_GAIN = 1e-6
"""A fraction of the loss that is not worth a step."""
REJECTED_DAMPING = 1e-10
"""After a step that did not help: raising λ from below this would change nothing for several steps."""
ITERATIONS = 60
"""Tried per start unless the caller knows better: fits that get anywhere take ten to thirty."""
RIDGE = 1e-14
"""Added to the unit diagonal of the normal equations: equal columns must not stop the solve."""


@dataclass(frozen=True)
class Residuals:
    """A least-squares problem: residuals [R, N] of parameters [R, P], and these with Jacobian [R, N, P].

    The second argument of both says which of the starts these are, for problems that differ by start.
    """

    evaluate: Callable[[Array, np.ndarray], Array]
    linearise: Callable[[Array, np.ndarray], tuple[Array, Array]]


@dataclass(frozen=True)
class Minimum:
    """Where every start ended.

    Attributes:
        parameters: [R, P].
        loss: mean square residual [R]; infinite for a start that never had a finite one.
        converged: whether it stopped because steps no longer lowered the loss [R].
        iterations: steps tried, over all starts.
    """

    parameters: Array
    loss: Array
    converged: np.ndarray
    iterations: int


@np.errstate(all="ignore")  # far from a solution squares overflow; such steps have no value and are rejected
def levenberg_marquardt(
    problem: Residuals,
    start: Array,
    *,
    free: Array | None = None,
    box: tuple[Array | float, Array | float] = (-np.inf, np.inf),
    damping: float | Array = FIRST_DAMPING,
    iterations: int = ITERATIONS,
    target: float = 0.0,
    tolerance: float = IDLE_GAIN,
    patience: int = 0,
    orthogonal: bool = False,
    deadline: float = np.inf,
    clock: Callable[[], float] = time.monotonic,
) -> Minimum:
    """Minimise the sum of squares from every row of `start`.

    Args:
        problem: residuals and Jacobian.
        start: [R, P], a start per row.
        free: 1 where a parameter may move and 0 where it stays, [P] or [R, P].
        box: lower and upper bounds, each broadcastable to [P].
        damping: first λ, one for all starts or one each; small is nearly Gauss–Newton.
        iterations: steps tried per start.
        target: stop a start whose mean square residual is at most this.
        tolerance: a step that lowers, or promises to lower, the loss by a smaller fraction is idle.
        patience: stop a start after more than this many idle steps in a row.
        orthogonal: factorise the Jacobian instead of forming JᵀJ, which loses half of the digits.
        deadline: when to stop, by the clock.
        clock: the time, in seconds.

    Example:
        >>> x = np.array([1.0, 2.0, 3.0])
        >>> power = lambda p, _: x**p - x**2
        >>> slope = lambda p, _: (x**p - x**2, (x**p * np.log(x))[..., None])
        >>> fit = levenberg_marquardt(Residuals(power, slope), np.ones((1, 1)))
        >>> round(fit.parameters.item(), 9)
        2.0
    """
    low, high = box
    point = np.clip(start, low, high)
    starts = np.arange(len(point))
    moves = np.broadcast_to(1.0 if free is None else free, point.shape)
    loss = _mean_square(problem.evaluate(point, starts))
    damping = np.array(np.broadcast_to(damping, len(point)), dtype=float)
    converged = loss <= target
    active = np.isfinite(loss) & ~converged
    idle = np.zeros(len(point), dtype=int)
    steps = (_OrthogonalSteps if orthogonal else _NormalSteps)(problem, point.shape)
    tried = 0
    while tried < iterations and active.any() and clock() < deadline:
        tried += 1
        index = starts[active]
        steps.refresh(point, index)
        gradient = steps.gradient[index]
        held = ((point[index] <= low) & (gradient > 0)) | ((point[index] >= high) & (gradient < 0))
        step, promised = steps.solve(index, damping[index], np.where(held, 0.0, moves[index]))
        trial = np.clip(point[index] + step, low, high)
        trial_loss = _mean_square(problem.evaluate(trial, index))
        better = trial_loss < loss[index]
        gain = np.where(better, 1 - trial_loss / loss[index], promised)
        rejected = np.maximum(damping[index] * TENFOLD, REJECTED_DAMPING)
        damping[index] = np.maximum(np.where(better, damping[index] / TENFOLD, rejected), SMALLEST_DAMPING)
        accepted = index[better]
        point[accepted], loss[accepted] = trial[better], trial_loss[better]
        steps.fresh[accepted] = False
        idle[index] = np.where(gain < tolerance, idle[index] + 1, 0)
        finished = (loss[index] <= target) | (idle[index] > patience) | (damping[index] > LARGEST_DAMPING)
        converged[index[finished]] = True
        active[index[finished]] = False
    return Minimum(point, loss, converged, tried)


def _mean_square(residual: Array) -> Array:
    loss = np.square(residual).mean(axis=-1)
    return np.where(np.isfinite(loss), loss, np.inf)


class _Linearisation:
    """Linearised problems of all starts, made anew where a start has moved."""

    def __init__(self, problem: Residuals, shape: tuple[int, ...]) -> None:
        self.problem = problem
        self.fresh = np.zeros(shape[0], dtype=bool)
        self.gradient = np.zeros(shape)

    def refresh(self, point: Array, index: np.ndarray) -> None:
        stale = index[~self.fresh[index]]
        if len(stale):
            residual, jacobian = self.problem.linearise(point[stale], stale)
            # A parameter without a derivative on some row does not see that row.
            jacobian = np.nan_to_num(jacobian, nan=0.0, posinf=0.0, neginf=0.0)
            self.gradient[stale] = np.matmul(residual[:, None], jacobian)[:, 0]
            self.keep(stale, residual, jacobian)
            self.fresh[stale] = True

    def keep(self, index: np.ndarray, residual: Array, jacobian: Array) -> None:
        raise NotImplementedError

    def solve(self, index: np.ndarray, damping: Array, moves: Array) -> tuple[Array, Array]:
        """Steps [R, P], and the fraction by which each promises to lower the loss."""
        raise NotImplementedError


class _NormalSteps(_Linearisation):
    """By the normal equations, scaled to a unit diagonal: fast, and small in memory."""

    def __init__(self, problem: Residuals, shape: tuple[int, ...]) -> None:
        super().__init__(problem, shape)
        self.normal = np.zeros((*shape, shape[1]))
        self.square = np.zeros(shape[0])

    def keep(self, index: np.ndarray, residual: Array, jacobian: Array) -> None:
        self.normal[index] = np.matmul(jacobian.transpose(0, 2, 1), jacobian)
        self.square[index] = np.square(residual).sum(axis=1)

    def solve(self, index: np.ndarray, damping: Array, moves: Array) -> tuple[Array, Array]:
        normal, gradient = self.normal[index], self.gradient[index]
        diagonal = np.einsum("rpp->rp", normal)
        scale = moves / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
        system = normal * scale[:, :, None] * scale[:, None, :]
        np.einsum("rpp->rp", system)[:] += np.where(moves > 0, damping[:, None] + RIDGE, 1.0)
        step = np.linalg.solve(system, (-gradient * scale)[..., None])[..., 0] * scale
        change = 2 * (gradient * step).sum(axis=1) + np.einsum("rp,rpq,rq->r", step, normal, step)
        return step, -change / np.maximum(self.square[index], np.finfo(float).tiny)


class _OrthogonalSteps(_Linearisation):
    """By QR of the Jacobian over a damped identity: constants come out to the last digits."""

    def __init__(self, problem: Residuals, shape: tuple[int, ...]) -> None:
        super().__init__(problem, shape)
        self.linear: dict[int, tuple[Array, Array]] = {}

    def keep(self, index: np.ndarray, residual: Array, jacobian: Array) -> None:
        self.linear.update(zip(index.tolist(), zip(residual, jacobian, strict=True), strict=True))

    def solve(self, index: np.ndarray, damping: Array, moves: Array) -> tuple[Array, Array]:
        steps, promised = np.zeros(moves.shape), np.zeros(len(index))
        for row, start in enumerate(index.tolist()):
            residual, jacobian = self.linear[start]
            size = np.linalg.norm(jacobian, axis=0)
            scale = moves[row] / np.where(size > 0, size, 1.0)
            stacked = np.vstack([jacobian * scale, np.sqrt(damping[row]) * np.eye(len(scale))])
            basis, triangle = np.linalg.qr(stacked)
            steps[row] = scale * np.linalg.solve(triangle, basis[: len(residual)].T @ -residual)
            left = residual + jacobian @ steps[row]
            promised[row] = 1 - (left @ left) / max(residual @ residual, np.finfo(float).tiny)
        return steps, promised
