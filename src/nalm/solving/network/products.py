"""Products and quotients of sums, y = Π_j (a_j·x)^e_j: a layer that adds, then one that multiplies.

The exponents are the structure: they are enumerated, fewest factors first, up to the order of the factors.
For each setting only the sums are fitted, and those only up to a factor each that the product does not see.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import torch
from torch import Tensor

from nalm.solving.network.algebra import Fit, least_squares, ratio_start
from nalm.solving.network.chain import Chain
from nalm.solving.network.limits import SearchLimits
from nalm.solving.network.product_descent import Descent, descend, descend_sparsely
from nalm.solving.network.product_starts import random_sums, spectral_start
from nalm.solving.network.samples import FitSamples
from nalm.solving.network.snapping import round_to, unit_of
from nalm.units.forms import Kind

REAL_EXPONENTS = (1.0, -1.0, 0.5, -0.5, 2.0, -2.0)
"""What is tried for a single sum where exponents may be any number."""
RESTARTS, BATCHES = 8, 2
"""Random starts in a batch, and batches."""
DOUBLES = 2**22
"""Numbers in the Jacobians of a batch."""
ITERATIONS = 60
"""Of Levenberg–Marquardt per start."""


def structures(allowed: tuple[float, ...], width: int) -> Iterator[tuple[float, ...]]:
    """The exponents of up to `width` factors, simplest first, positive first; zeros are fewer factors.

    Example:
        >>> list(structures((-1.0, 0.0, 1.0), width=2))
        [(1.0,), (-1.0,), (1.0, -1.0), (1.0, 1.0), (-1.0, -1.0)]
    """
    values = sorted({v for v in allowed or REAL_EXPONENTS if v}, key=lambda v: (abs(v) != 1, abs(v), -v))
    yield from ((value,) for value in values)
    units = [value for value in values if abs(value) == 1] or values
    for count in range(2, width + 1):
        combinations = itertools.combinations_with_replacement(units, count)
        # A quotient of two sums is a null vector, a product of two needs iterations: quotients first.
        yield from sorted(combinations, key=lambda e: (abs(sum(e)), -sum(e)))


def products_of_sums(
    data: FitSamples,
    kind: Kind,
    sums: tuple[float, ...],
    exponents: tuple[float, ...],
    width: int,
    limits: SearchLimits,
) -> Iterator[Fit]:
    """Fits of all structures, simplest first: by algebra, then with more effort, then from random starts."""
    settings = [torch.tensor(e, dtype=data.x.dtype) for e in structures(exponents, width)]
    for powers in settings:
        if len(powers) == 1:
            yield from _single(data, kind, sums, powers)
    several = [powers for powers in settings if len(powers) > 1]
    for approach in (_directly, _patiently, _anywhere) if limits.thorough else (_directly,):
        for powers in several:
            for end in approach(data, powers, limits):
                yield from _fits(data, kind, sums, powers, end)
                if limits.is_over:
                    return


def _single(data: FitSamples, kind: Kind, sums: tuple[float, ...], powers: Tensor) -> Iterator[Fit]:
    """y = (a·x)^e is y^(1/e) = a·x: least squares."""
    power = float(powers)
    usable = data.where((data.y > 0) if abs(power) != 1 else (data.y != 0)).train
    if len(usable.y) == 0:
        return
    target = usable.y.sign() * usable.y.abs() ** (1 / power)
    # An error δ of y is one of (1/e)·(target/y)·δ in the target: divide it out again.
    weight = (power * usable.y / target).abs() / usable.scale
    a, error = least_squares(usable.x * weight.unsqueeze(-1), target * weight)
    matrix = a.unsqueeze(0)
    yield _fit(kind, matrix, round_to(matrix, sums, error.unsqueeze(0)), powers)


def _upright(data: FitSamples, powers: Tensor) -> tuple[FitSamples, Tensor]:
    """The data and exponents to fit: a reciprocal of a product is fitted to 1/y, which has no poles."""
    if bool((powers > 0).any()):
        return data.train, powers
    usable = data.train.where(data.train.y != 0)
    return usable.with_target(1 / usable.y), -powers


def _algebraic(train: FitSamples, powers: Tensor, generator: torch.Generator) -> Tensor | None:
    """A start [1, factors, I], of a structure that has an algebraic one."""
    if _is_ratio(powers):
        start = ratio_start(train, generator)
        return None if start is None else start.unsqueeze(0)
    if powers.tolist() != [1.0, 1.0] or len(train.y) <= train.x.shape[1]:
        return None
    return spectral_start(train).unsqueeze(0)


def _directly(data: FitSamples, powers: Tensor, limits: SearchLimits) -> Iterator[Descent]:
    """From the algebraic start; a null vector is the solution itself, if there is one."""
    train, powers = _upright(data, powers)
    start = _algebraic(train, powers, limits.generator)
    if start is not None:
        yield descend(train, powers, start, 0 if _is_ratio(powers) else ITERATIONS, limits.deadline)


def _patiently(data: FitSamples, powers: Tensor, limits: SearchLimits) -> Iterator[Descent]:
    """From the algebraic start again: with noise a null vector is no minimum, few data need sparse sums."""
    train, powers = _upright(data, powers)
    start = _algebraic(train, powers, limits.generator)
    if start is not None:
        start = start if _is_ratio(powers) else descend_sparsely(train, powers, start, limits.deadline)
        yield descend(train, powers, start, ITERATIONS, limits.deadline)


def _anywhere(data: FitSamples, powers: Tensor, limits: SearchLimits) -> Iterator[Descent]:
    """From random starts in batches, smaller ones where Jacobians are large."""
    train, powers = _upright(data, powers)
    if len(train.y) == 0:
        return
    restarts = max(1, min(RESTARTS, DOUBLES // (len(powers) * train.x.numel())))
    for _ in range(BATCHES):
        start = random_sums(train, powers, restarts, limits.generator)
        yield descend(train, powers, start, ITERATIONS, limits.deadline)


def _is_ratio(powers: Tensor) -> bool:
    return sorted(powers.tolist()) == [-1.0, 1.0]


def _fits(
    data: FitSamples, kind: Kind, sums: tuple[float, ...], powers: Tensor, end: Descent
) -> Iterator[Fit]:
    if bool(torch.isfinite(end.rows).all()):
        fit = _fit(kind, end.rows, _discrete(end.rows, sums, powers, data), powers)
        yield replace(fit, restarts=end.restarts, converged=end.converged)


def _discrete(fitted: Tensor, sums: tuple[float, ...], powers: Tensor, data: FitSamples) -> Tensor:
    """Every row in its own unit, rounded, and facing so that the product has the sign of y."""
    if not sums:
        return fitted
    units = torch.stack([unit_of(row, sums) for row in fitted])
    rows = round_to(fitted / units.unsqueeze(-1), sums)
    if min(sums) == 0:
        return rows
    # Two rows turned around are the same product: let each add more than it subtracts, as one would write it.
    rows = torch.where(rows.sum(dim=-1, keepdim=True) < 0, -rows, rows)
    value = Chain((Kind.SUM, Kind.POWER), (rows, powers.unsqueeze(0)))(data.train.x).squeeze(-1)
    if float((value * data.train.y).nan_to_num().sum()) < 0:
        least = int(rows.sum(dim=-1).abs().argmin())
        rows[least] = -rows[least]
    return rows + 0.0  # turns −0 into 0


def _fit(kind: Kind, fitted: Tensor, snapped: Tensor, powers: Tensor) -> Fit:
    kinds, top = (Kind.SUM, kind), powers.unsqueeze(0)
    return Fit(Chain(kinds, (fitted, top)), Chain(kinds, (snapped, top)), learnt=(True, False))
