"""Levenberg–Marquardt on many starts at once, for small models with closed-form derivatives."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nalm.solving.discovery.formula import Array

Model = Callable[[Array], tuple[Array, Array]]
"""Parameters [starts, parameters] to residuals [starts, rows] and Jacobians [starts, rows, parameters]."""


PATIENCE = 6
"""Steps without progress after which the search ends."""


def levenberg_marquardt(
    model: Model,
    start: Array,
    free: Array,
    *,
    steps: int,
    low: Array | float = -np.inf,
    high: Array | float = np.inf,
) -> tuple[Array, Array]:
    """Minimise the sum of squares from every start.

    Args:
        model: residuals and their derivatives.
        start: [starts, parameters].
        free: 1 where a parameter may move, 0 where it stays, shaped like `start` or one row of it.
        steps: iterations, the same for all starts.
        low: lower bounds.
        high: upper bounds.

    Returns:
        The parameters and the root mean square residual of every start; a start that never had a finite
        residual has an infinite one.
    """
    parameters = np.clip(start, low, high)
    free = np.broadcast_to(free, parameters.shape)
    residual, jacobian = model(parameters)
    cost = _cost(residual)
    damping = np.full(len(parameters), 1e-3)
    identity = np.eye(parameters.shape[1])
    idle = 0
    for _ in range(steps):
        jacobian = np.nan_to_num(jacobian * free[:, None, :], nan=0.0, posinf=0.0, neginf=0.0)
        clean = np.nan_to_num(residual, nan=0.0, posinf=0.0, neginf=0.0)
        normal = np.matmul(jacobian.transpose(0, 2, 1), jacobian)
        gradient = np.matmul(jacobian.transpose(0, 2, 1), clean[:, :, None])[:, :, 0]
        diagonal = np.maximum(np.einsum("bpp->bp", normal), 1e-12)
        # Scaled to unit diagonal, so that damping means the same for every parameter.
        scale = 1 / np.sqrt(diagonal)
        system = normal * scale[:, :, None] * scale[:, None, :] + (damping[:, None, None] + 1e-13) * identity
        step = np.linalg.solve(system, (-gradient * scale)[:, :, None])[:, :, 0] * scale
        trial = np.clip(parameters + step * free, low, high)
        trial_residual, trial_jacobian = model(trial)
        trial_cost = _cost(trial_residual)
        better = trial_cost < cost
        before = cost
        parameters = np.where(better[:, None], trial, parameters)
        residual = np.where(better[:, None], trial_residual, residual)
        jacobian = np.where(better[:, None, None], trial_jacobian, jacobian)
        cost = np.where(better, trial_cost, cost)
        damping = np.clip(np.where(better, damping / 5, damping * 4), 1e-14, 1e8)
        # The better half of the starts is what matters; once it creeps, more steps change nothing.
        leaders = np.argsort(cost)[: (len(cost) + 1) // 2]
        idle = idle + 1 if (cost[leaders] >= 0.999 * before[leaders]).all() else 0
        if idle > PATIENCE or (cost == 0).all():
            break
    return parameters, np.sqrt(cost / residual.shape[1])


def _cost(residual: Array) -> Array:
    with np.errstate(all="ignore"):
        cost = np.square(residual).sum(axis=1)
    return np.where(np.isfinite(cost), cost, np.inf)
