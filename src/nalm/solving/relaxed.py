"""Any chain of sums and powers, fitted from random starts: what is left when no algebra applies."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import torch
from torch import Tensor

from nalm.solving.chain import Chain
from nalm.solving.data import Data
from nalm.solving.fits import Fit
from nalm.solving.levenberg import Minimum, Residuals, levenberg_marquardt
from nalm.solving.search import Search
from nalm.solving.snapping import snap
from nalm.units.forms import Kind

RESTARTS = 32
"""Random starts in a batch, fewer where their Jacobians would be too large."""
DOUBLES = 2**23
"""Numbers in the Jacobians of a batch."""
BATCHES = 4
FINALISTS = 3
LOOSE = 3.0
"""The box of the first fit, in boxes of discrete values: the way to a solution often leaves its box."""
REAL_BOX = (-10.0, 10.0)
DAMPING = (1e-8, 1e-5, 1e-2)


def relaxed(
    data: Data,
    kinds: tuple[Kind, ...],
    widths: tuple[int, ...],
    allowed: tuple[tuple[float, ...], ...],
    search: Search,
) -> Iterator[Fit]:
    """Fits of a chain with up to `widths` hidden units between its layers, fewest first.

    Args:
        data: with as many inputs as the first layer.
        kinds: what each layer computes.
        widths: the most outputs each layer but the last may have; the last has one.
        allowed: values of the entries of each layer, empty where any number will do.
        search: how far to go; nothing is tried unless it is thorough.
    """
    hidden = sorted(itertools.product(*(range(1, width + 1) for width in widths)), key=sum)
    if not search.thorough:
        return
    # Fewer starts for every structure, and again, rather than all starts for the simplest first.
    for _ in range(BATCHES):
        for sizes in hidden:
            yield from _batch(data, kinds, (data.x.shape[1], *sizes, 1), allowed, search)
            if search.is_over:
                return


def _batch(
    data: Data,
    kinds: tuple[Kind, ...],
    sizes: tuple[int, ...],
    allowed: tuple[tuple[float, ...], ...],
    search: Search,
) -> Iterator[Fit]:
    """A batch of random starts in a loose box, the best of them again in the box of the discrete values."""
    shapes = [(after, before) for before, after in itertools.pairwise(sizes)]
    values = [v for v, (rows, columns) in zip(allowed, shapes, strict=True) for _ in range(rows * columns)]
    low = torch.tensor([min(v, default=REAL_BOX[0]) for v in values], dtype=data.x.dtype)
    high = torch.tensor([max(v, default=REAL_BOX[1]) for v in values], dtype=data.x.dtype)
    middle, half = (high + low) / 2, (high - low) / 2
    problem = _Problem(data.train, kinds, shapes)
    restarts = max(1, min(RESTARTS, DOUBLES // (len(values) * len(data.train.y))))
    uniform = torch.rand(restarts, len(values), dtype=data.x.dtype, generator=search.generator)
    start = middle + (2 * uniform - 1) * half.clamp_max(1.0)
    damping = torch.tensor(DAMPING, dtype=data.x.dtype).repeat(restarts)[:restarts]
    loose = (middle - LOOSE * half, middle + LOOSE * half)
    first = levenberg_marquardt(
        problem.residuals(), start, box=loose, damping=damping, deadline=search.deadline
    )
    order = first.loss.nan_to_num(nan=torch.inf).argsort()[:FINALISTS]
    tight = first.parameters[order].clamp(low, high)
    second = levenberg_marquardt(problem.residuals(), tight, box=(low, high), deadline=search.deadline)
    yield from problem.fits(first, second, values, (low, high), restarts, search.deadline)


class _Problem:
    """The least-squares problem of a chain, over all its entries or some of them."""

    def __init__(self, data: Data, kinds: tuple[Kind, ...], shapes: list[tuple[int, int]]) -> None:
        self.data, self.kinds, self.shapes = data, kinds, shapes
        self.floor = float((data.eps * data.y / data.scale).square().mean()) / 16

    def chain(self, parameters: Tensor) -> Chain:
        parts = parameters.split([rows * columns for rows, columns in self.shapes], dim=-1)
        matrices = (part.unflatten(-1, shape) for part, shape in zip(parts, self.shapes, strict=True))
        return Chain(self.kinds, tuple(matrices))

    def residuals(self, point: Tensor | None = None, free: Tensor | None = None) -> Residuals:
        """Residuals as a function of all entries, or of the free ones with the others as in `point`."""
        y, scale = self.data.y, self.data.scale

        def whole(parameters: Tensor) -> Tensor:
            if point is None or free is None:
                return parameters
            full = point.expand(len(parameters), -1).clone()
            full[:, free] = parameters
            return full

        def evaluate(parameters: Tensor) -> Tensor:
            return (self.chain(whole(parameters))(self.data.x).squeeze(-1) - y) / scale

        def linearise(parameters: Tensor) -> tuple[Tensor, Tensor]:
            value, slope = self.chain(whole(parameters)).linearise(self.data.x)
            slope = slope.squeeze(-2) / scale.unsqueeze(-1)
            return (value.squeeze(-1) - y) / scale, slope if free is None else slope[..., free]

        return Residuals(evaluate, linearise)

    def fits(
        self,
        first: Minimum,
        second: Minimum,
        values: list[tuple[float, ...]],
        box: tuple[Tensor, Tensor],
        restarts: int,
        deadline: float,
    ) -> Iterator[Fit]:
        """The finalists with their discrete neighbours."""
        best = float(second.loss.nan_to_num(nan=torch.inf).min())
        converged = int((first.loss <= 1.01 * float(first.loss.nan_to_num(nan=torch.inf).min())).sum()) > 1

        def refit(point: Tensor, free: Tensor) -> tuple[Tensor, float]:
            if not bool(free.any()):
                return point, float(self.residuals().evaluate(point.unsqueeze(0)).square().mean())
            bounds = (box[0][free], box[1][free])
            end = levenberg_marquardt(
                self.residuals(point, free),
                point[free].unsqueeze(0),
                box=bounds,
                iterations=20,
                deadline=deadline,
            )
            point = point.clone()
            point[free] = end.parameters[0]
            return point, float(end.loss[0])

        for parameters, loss in zip(second.parameters, second.loss, strict=True):
            if not bool(torch.isfinite(loss)) or float(loss) > 2 * best + self.floor:
                continue
            found = snap(parameters, values, refit, tolerance=1.3 * float(loss) + 100 * self.floor)
            fitted = self.chain(parameters)
            snapped = self.chain(found) if found is not None else fitted
            yield Fit(fitted, snapped, (True,) * len(self.kinds), restarts, converged)
            restarts = 0  # counted with the first finalist
