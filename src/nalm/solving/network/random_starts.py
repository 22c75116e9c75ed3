"""Any chain of sums and powers, fitted from random starts: what is left when no algebra applies."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import torch
from torch import Tensor

from nalm.solving.network.algebra import Fit
from nalm.solving.network.chain import Chain
from nalm.solving.network.limits import SearchLimits
from nalm.solving.network.minimise import SAME_MINIMUM, Minima, minimise
from nalm.solving.network.samples import FitSamples
from nalm.solving.network.snapping import snap
from nalm.units.forms import Kind

RESTARTS = 32
"""Random starts in a batch, fewer where their Jacobians would be too large."""
DOUBLES = 2**23
"""Numbers in the Jacobians of a batch."""
BATCHES = 4
"""Rounds over all structures."""
FINALISTS = 3
"""Fits of a batch that are made discrete."""
LOOSE = 3.0
"""The box of the first fit, in boxes of discrete values: the way to a solution often leaves its box."""
REAL_BOX = (-10.0, 10.0)
"""Where entries that may be any number are looked for."""
DAMPING = (1e-8, 1e-5, 1e-2)
"""Starts take turns: some nearly Gauss–Newton, some careful."""
REFIT_ITERATIONS = 20
"""After one entry was fixed the others are near their place."""
SNAPPED, ROUNDINGS = 1.3, 100
"""Discrete entries may raise the loss by this factor, and by so many roundings."""


def fit_from_random_starts(
    data: FitSamples,
    kinds: tuple[Kind, ...],
    widths: tuple[int, ...],
    allowed: tuple[tuple[float, ...], ...],
    limits: SearchLimits,
) -> Iterator[Fit]:
    """Fits of a chain with up to `widths` hidden units between its layers, fewest first.

    Args:
        data: with as many inputs as the first layer.
        kinds: what each layer computes.
        widths: the most outputs each layer but the last may have; the last has one.
        allowed: values of the entries of each layer, empty where any number will do.
        limits: how far to go; nothing is tried unless it is thorough.
    """
    hidden = sorted(itertools.product(*(range(1, width + 1) for width in widths)), key=sum)
    if not limits.thorough:
        return
    # Fewer starts for every structure, and again, rather than all starts for the simplest first.
    for _ in range(BATCHES):
        for sizes in hidden:
            yield from _batch(data, kinds, (data.x.shape[1], *sizes, 1), allowed, limits)
            if limits.is_over:
                return


def _batch(
    data: FitSamples,
    kinds: tuple[Kind, ...],
    sizes: tuple[int, ...],
    allowed: tuple[tuple[float, ...], ...],
    limits: SearchLimits,
) -> Iterator[Fit]:
    """A batch of random starts in a loose box, the best of them again in the box of the discrete values."""
    shapes = [(after, before) for before, after in itertools.pairwise(sizes)]
    values = [v for v, (rows, columns) in zip(allowed, shapes, strict=True) for _ in range(rows * columns)]
    low = torch.tensor([min(v, default=REAL_BOX[0]) for v in values], dtype=data.x.dtype)
    high = torch.tensor([max(v, default=REAL_BOX[1]) for v in values], dtype=data.x.dtype)
    middle, half = (high + low) / 2, (high - low) / 2
    problem = _Problem(data.train, kinds, shapes)
    restarts = max(1, min(RESTARTS, DOUBLES // (len(values) * len(data.train.y))))
    uniform = torch.rand(restarts, len(values), dtype=data.x.dtype, generator=limits.generator)
    start = middle + (2 * uniform - 1) * half.clamp_max(1.0)
    damping = torch.tensor(DAMPING, dtype=data.x.dtype).repeat(restarts)[:restarts]
    loose = (middle - LOOSE * half, middle + LOOSE * half)
    first = minimise(
        problem.evaluate,
        problem.linearise,
        start,
        box=loose,
        damping=damping.numpy(),
        deadline=limits.deadline,
    )
    order = first.loss.argsort()[:FINALISTS]
    tight = first.parameters[order].clamp(low, high)
    second = minimise(problem.evaluate, problem.linearise, tight, box=(low, high), deadline=limits.deadline)
    yield from problem.fits(first, second, values, (low, high), restarts, limits.deadline)


class _Problem:
    """The least-squares problem of a chain, over all its entries or some of them."""

    def __init__(self, data: FitSamples, kinds: tuple[Kind, ...], shapes: list[tuple[int, int]]) -> None:
        self.data, self.kinds, self.shapes = data, kinds, shapes

    def chain(self, parameters: Tensor) -> Chain:
        parts = parameters.split([rows * columns for rows, columns in self.shapes], dim=-1)
        matrices = (part.unflatten(-1, shape) for part, shape in zip(parts, self.shapes, strict=True))
        return Chain(self.kinds, tuple(matrices))

    def evaluate(self, parameters: Tensor) -> Tensor:
        """Scaled residuals [R, N]."""
        return (self.chain(parameters)(self.data.x).squeeze(-1) - self.data.y) / self.data.scale

    def linearise(self, parameters: Tensor) -> tuple[Tensor, Tensor]:
        """Scaled residuals and their Jacobian [R, N, P]."""
        value, slope = self.chain(parameters).linearise(self.data.x)
        residual = (value.squeeze(-1) - self.data.y) / self.data.scale
        return residual, slope.squeeze(-2) / self.data.scale.unsqueeze(-1)

    def fits(
        self,
        first: Minima,
        second: Minima,
        values: list[tuple[float, ...]],
        box: tuple[Tensor, Tensor],
        restarts: int,
        deadline: float,
    ) -> Iterator[Fit]:
        """The finalists with their discrete neighbours."""
        best = float(second.loss.min())
        converged = int((first.loss <= SAME_MINIMUM * float(first.loss.min())).sum()) > 1

        def refit(point: Tensor, free: Tensor) -> tuple[Tensor, float]:
            iterations = REFIT_ITERATIONS if bool(free.any()) else 0
            end = minimise(
                self.evaluate,
                self.linearise,
                point.unsqueeze(0),
                box=box,
                free=free,
                iterations=iterations,
                deadline=deadline,
            )
            return end.parameters[0], float(end.loss[0])

        for parameters, loss in zip(second.parameters, second.loss, strict=True):
            if not bool(torch.isfinite(loss)) or float(loss) > 2 * best + self.data.rounding_floor:
                continue
            found = snap(
                parameters,
                values,
                refit,
                tolerance=SNAPPED * float(loss) + ROUNDINGS * self.data.rounding_floor,
            )
            fitted = self.chain(parameters)
            snapped = self.chain(found) if found is not None else fitted
            yield Fit(fitted, snapped, (True,) * len(self.kinds), restarts, converged)
            restarts = 0  # counted with the first finalist
