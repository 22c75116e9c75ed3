"""A fit before it is judged, and the fits that need no iteration: sums, powers, and ratios of sums."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from nalm.solving.network.chain import Chain
from nalm.solving.network.samples import FitSamples
from nalm.solving.network.snapping import round_to
from nalm.solving.numerics import TINY
from nalm.units.forms import Kind

SINGULAR = 1e-14
"""Columns of unit length are taken as dependent if one is this close (in squares) to a sum of others."""

REFINEMENTS = 3
"""Each makes up for half of the digits that the normal equations lose."""

RAISED = 10
"""By which a shift that was too small to keep AᵀA regular is raised."""

INVERSE_ITERATIONS = 8
"""Each shrinks what is left of other vectors by the square of a ratio of singular values."""


@dataclass(frozen=True)
class Fit:
    """A chain with fitted numbers, and the same with discrete ones.

    Attributes:
        fitted: with real matrices.
        snapped: with discrete matrices, where discrete values are declared.
        learnt: which layers' matrices the data had to determine; the others are part of the structure.
        restarts: starts used, 0 for a closed form.
        converged: whether no better fit of this structure is to be expected.
    """

    fitted: Chain
    snapped: Chain
    learnt: tuple[bool, ...]
    restarts: int = 0
    converged: bool = True


def inverse_gram(columns: Tensor) -> Tensor | None:
    """(AᵀA)⁻¹, or `None` if the columns are linearly dependent in double precision."""
    size = columns.norm(dim=0)
    if columns.shape[0] < columns.shape[1] or not bool(((size > 0) & torch.isfinite(size)).all()):
        return None
    unit = columns / size
    factor, failed = torch.linalg.cholesky_ex(unit.T @ unit)
    if failed:
        return None
    inverse = torch.cholesky_inverse(factor)
    if not bool((inverse.diagonal() < 1 / SINGULAR).all()):
        return None
    return inverse / size.outer(size)


def least_squares(columns: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """The solution, of smallest norm if there are many, and its standard errors, then infinite."""
    inverse = inverse_gram(columns)
    if inverse is None:
        # "gelsy" would be faster, but torch's gives wrong answers where columns are dependent.
        solution = torch.linalg.lstsq(columns, target.unsqueeze(-1), driver="gelsd").solution.squeeze(-1)
        return solution, torch.full_like(solution, torch.inf)
    solution = torch.zeros_like(columns[0])
    for _ in range(REFINEMENTS):
        solution = solution + inverse @ (columns.T @ (target - columns @ solution))
    freedom = max(len(columns) - columns.shape[1], 1)
    variance = (target - columns @ solution).square().sum() / freedom
    return solution, (variance * inverse.diagonal()).sqrt()


def fit_sums(data: FitSamples, allowed: tuple[float, ...]) -> Iterator[Fit]:
    """y = Σ c_i·x_i by least squares."""
    train = data.train
    weight = 1 / train.scale
    c, error = least_squares(train.x * weight.unsqueeze(-1), train.y * weight)
    matrix = c.unsqueeze(0)
    yield Fit(
        Chain((Kind.SUM,), (matrix,)),
        Chain((Kind.SUM,), (round_to(matrix, allowed, error.unsqueeze(0)),)),
        learnt=(True,),
    )


def fit_powers(data: FitSamples, kind: Kind, allowed: tuple[float, ...]) -> Iterator[Fit]:
    """|y| = Π |x_i|^e_i by least squares on logarithms; the signs are left to verification."""
    usable = data.where((data.y != 0) & (data.x != 0).all(dim=-1)).train
    if len(usable.y) == 0:
        return
    e, error = least_squares(usable.x.abs().log(), usable.y.abs().log())
    matrix = e.unsqueeze(0)
    yield Fit(
        Chain((kind,), (matrix,)),
        Chain((kind,), (round_to(matrix, allowed, error.unsqueeze(0)),)),
        learnt=(True,),
    )


def null_vector(columns: Tensor, generator: torch.Generator) -> Tensor:
    """The unit vector v with the smallest ‖A·v‖, by inverse iteration on AᵀA."""
    gram = columns.T @ columns
    # An exact null vector makes AᵀA singular; a shift at the level of rounding keeps the solves finite.
    shift = SINGULAR
    while True:
        shifted = gram + torch.diag(torch.full_like(gram[0], shift * float(gram.diagonal().max())))
        factor, failed = torch.linalg.cholesky_ex(shifted)
        if not failed:
            break
        shift *= RAISED
    v = torch.randn(columns.shape[1], 1, dtype=columns.dtype, generator=generator)
    for _ in range(INVERSE_ITERATIONS):
        v = torch.cholesky_solve(v, factor)
        v = v / v.norm()
    return v.squeeze(-1)


def ratio_start(data: FitSamples, generator: torch.Generator) -> Tensor | None:
    """[2, I]: a and b of y = (a·x) / (b·x) up to a common factor: a·x − y·(b·x) = 0 is linear in both."""
    train = data.train
    if len(train.y) < 2 * train.x.shape[1]:
        return None
    weight = 1 / (train.y.abs() + train.y.abs().median().clamp_min(TINY)).unsqueeze(-1)
    columns = torch.cat([train.x * weight, -train.x * train.y.unsqueeze(-1) * weight], dim=-1)
    size = columns.norm(dim=0)
    if not bool((size > 0).all()):
        return None
    return (null_vector(columns / size, generator) / size).reshape(2, -1)
