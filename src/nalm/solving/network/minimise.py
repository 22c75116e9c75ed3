"""Levenberg–Marquardt for residuals that are computed with torch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from nalm.solving.numerics.levenberg_marquardt import Residuals, levenberg_marquardt

SAME_MINIMUM = 1.01
"""Factor of the loss within which two starts have ended in the same minimum."""


class Minima(NamedTuple):
    """Where every start ended: parameters [R, P], mean square residual [R], whether it converged [R]."""

    parameters: Tensor
    loss: Tensor
    converged: Tensor


def minimise(
    evaluate: Callable[[Tensor], Tensor],
    linearise: Callable[[Tensor], tuple[Tensor, Tensor]],
    start: Tensor,
    *,
    box: tuple[Tensor, Tensor] | None = None,
    free: Tensor | None = None,
    **options: Any,
) -> Minima:
    """Minimise from every row of `start`; the arguments are those of `levenberg_marquardt`, as tensors."""

    def values(parameters: np.ndarray, _: np.ndarray) -> np.ndarray:
        return evaluate(torch.from_numpy(parameters)).numpy()

    def slopes(parameters: np.ndarray, _: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        residual, jacobian = linearise(torch.from_numpy(parameters))
        return residual.numpy(), jacobian.numpy()

    end = levenberg_marquardt(
        Residuals(values, slopes),
        start.numpy(),
        box=(-np.inf, np.inf) if box is None else (box[0].numpy(), box[1].numpy()),
        free=None if free is None else free.double().numpy(),
        **options,
    )
    return Minima(*map(torch.from_numpy, (end.parameters, end.loss, end.converged)))
