"""Where an iterative fit of a product of sums begins."""

from __future__ import annotations

import torch
from torch import Tensor

from nalm.solving.network.algebra import inverse_gram, least_squares
from nalm.solving.network.samples import FitSamples
from nalm.solving.numerics import TINY

CLIPPED = 3.0
"""Residuals beyond this many times their mean size are clipped: heavy tails would rule the second moments."""
LINEAR = 3.0
"""The linear part of y is taken as the better guide if it is this many times larger than the rest."""
LEAST_PART, LEAST_SHARE = 1e-3, 0.05
"""Of the difference of the two sums: with none they would be equal, and would stay so."""


def spectral_start(data: FitSamples) -> Tensor:
    """[2, I]: a and b of y = (a·x)·(b·x), up to a factor from one to the other, from moments.

    Formally, with s = a + b and d = a − b, 4y = (s·x)² − (d·x)². With x = μ + u, and a and b scaled so that
    a·μ = b·μ, y has the constant part k = (s·μ)²/4 and the linear part √k·s·u. Far from zero this gives s.
    For what a linear fit leaves, e, the matrix E[e·u·uᵀ] / (σ_i²·σ_j²) is (s·sᵀ − d·dᵀ)/2 off its diagonal:
    its outermost eigenvectors are along s and d.
    """
    centred = data.x - data.x.mean(dim=0)
    variance = centred.square().mean(dim=0).clamp_min(TINY)
    design = torch.cat([centred, torch.ones_like(centred[:, :1])], dim=-1)
    inverse = inverse_gram(design)

    def leftover(target: Tensor) -> tuple[Tensor, Tensor]:
        if inverse is None:
            linear, _ = least_squares(design, target)
        else:
            linear = inverse @ (design.T @ target)
        return linear, target - design @ linear

    def outermost(e: Tensor) -> tuple[Tensor, Tensor]:
        clip = CLIPPED * e.abs().mean()
        moments = (centred * e.clamp(-clip, clip).unsqueeze(-1)).T @ centred / variance.outer(variance)
        # On the diagonal the fourth moment of u enters, which the formula does not have.
        vectors = torch.linalg.eigh(moments - torch.diag(moments.diagonal())).eigenvectors
        return vectors[:, 0], vectors[:, -1]

    def square(direction: Tensor) -> Tensor:
        return leftover((centred @ direction).square())[1] / 4

    linear, e = leftover(data.y)
    constant, facing = linear[-1].abs(), linear[-1].sign()
    if (centred @ linear[:-1]).std() > LINEAR * e.std() and constant > 0:
        s = facing * linear[:-1] / constant.sqrt()
        rest = facing * e - square(s)
        d, _ = outermost(rest)
        part = square(d)
        d = d * (-(part @ rest) / (part @ part)).clamp_min(LEAST_PART).sqrt()
        return torch.stack([facing * (s + d), s - d]) / 2
    d, s = outermost(e)
    (plus, minus), _ = least_squares(torch.stack([square(s), -square(d)], dim=-1), e)
    s, d = plus.clamp_min(0).sqrt() * s, torch.maximum(minus, plus * LEAST_SHARE).clamp_min(0).sqrt() * d
    return torch.stack([s + d, s - d]) / 2


def random_sums(data: FitSamples, exponents: Tensor, restarts: int, generator: torch.Generator) -> Tensor:
    """[restarts, factors, I]: random sums whose product has the size of y."""
    factors, inputs = len(exponents), data.x.shape[1]
    size = data.y.abs().log().nan_to_num(neginf=0.0).median() / exponents.abs().sum()
    direction = torch.rand(restarts, factors, inputs, dtype=data.x.dtype, generator=generator)
    # Halfway between all inputs in one direction, which suits ranges far from zero, and none in particular.
    towards = data.x.mean(dim=0).sign()
    normal = torch.randn(restarts, factors, inputs, dtype=data.x.dtype, generator=generator)
    start = direction * towards + 0.5 * normal * (torch.arange(restarts) % 2).reshape(-1, 1, 1)
    typical = (start @ data.x.T).abs().median(dim=-1).values.clamp_min(TINY)
    return start * ((exponents.sign() * size).exp() / typical).unsqueeze(-1)
