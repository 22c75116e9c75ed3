"""A matrix product whose weights have a natural gradient: their curvature is divided out, layer by layer.

For a layer y = M·x the Fisher matrix of M is, nearly, a Kronecker product: the second moments of the inputs
times those of the gradients at the outputs (K-FAC, Martens & Grosse 2015). Here the first factor is taken as
v·I + x̄·x̄ᵀ, the variance of the inputs and their mean: what goes wrong on narrow ranges is the mean, and the
inverse of such a matrix costs no more than the gradient itself (Sherman & Morrison 1950).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

SMALLEST_VARIANCE = 1e-6
"""Of the inputs, as a share of their mean square: a batch of equal samples still has a gradient."""
DOUBLINGS = 10
"""Steps of Newton's iteration: the error of the inverse is (1 − damping/2)^(2^10) at most, 0.006 at 0.01."""


class NaturalSum(torch.autograd.Function):
    """x[N, I]·M[O, I]ᵀ, with the exact gradient for x and a preconditioned one for M.

    Formally, with g[N, O] the gradient at the output, x̄ and v the mean and variance of the inputs,

        ∂loss/∂M := (gᵀg / tr gᵀg + damping·I)⁻¹ · gᵀx · v·(v·I + x̄x̄ᵀ)⁻¹

    Both factors are positive definite, so that a small step against it lowers the loss.
    """

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, matrix: Tensor, damping: float) -> Tensor:
        return x @ matrix.t()

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        x, matrix, damping = inputs
        ctx.save_for_backward(x, matrix)
        ctx.damping = damping

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, None]:
        (g,) = gradients
        x, matrix = ctx.saved_tensors
        return g @ matrix, decorrelated(g, whitened(g, x), ctx.damping), None


def whitened(g: Tensor, x: Tensor) -> Tensor:
    """gᵀx · v·(v·I + x̄x̄ᵀ)⁻¹, written with x − x̄ so that nothing cancels.

    Example:
        >>> x = torch.tensor([[11.0, 9.0], [9.0, 9.0], [9.0, 11.0], [11.0, 11.0]], dtype=torch.float64)
        >>> g = torch.tensor([[1.0], [0.0], [0.0], [0.0]], dtype=torch.float64)
        >>> moments = torch.eye(2, dtype=torch.float64) + 100.0  # the variance is 1, the mean 10
        >>> torch.allclose(whitened(g, x), g.t() @ x @ moments.inverse(), atol=1e-3)
        True
    """
    mean = x.mean(dim=0, keepdim=True)
    centred = x - mean
    square = mean.square().sum()
    variance = centred.square().mean() + SMALLEST_VARIANCE * (square + centred.square().mean())
    slopes = g.t() @ centred
    level = variance * g.sum(dim=0).unsqueeze(1) - (slopes * mean).sum(dim=1, keepdim=True)
    return slopes + mean * level / (variance + square)


def decorrelated(g: Tensor, gradient: Tensor, damping: float) -> Tensor:
    """(gᵀg / tr gᵀg + damping·I)⁻¹ · gradient, by Newton's iteration X ← X·(2·I − A·X) (Schulz 1933).

    With matrix products alone it needs no library of linear algebra, and compiles.

    Example:
        >>> g = torch.tensor([[1.0, 1.0], [0.0, 1.0]], dtype=torch.float64)
        >>> moments = torch.tensor([[1.0, 1.0], [1.0, 2.0]], dtype=torch.float64) / 3
        >>> exact = (moments + 0.1 * torch.eye(2, dtype=torch.float64)).inverse()
        >>> torch.allclose(decorrelated(g, torch.eye(2, dtype=torch.float64), damping=0.1), exact)
        True
    """
    size = g.shape[1]
    if size == 1:
        return gradient
    moments = g.t() @ g
    # The smallest normal number keeps a gradient of 0, which has no direction, from being 0/0.
    trace = moments.diagonal().sum() + torch.finfo(g.dtype).tiny
    identity = torch.eye(size, dtype=g.dtype, device=g.device)
    a = moments / trace + damping * identity
    inverse = identity / (1 + damping)
    for _ in range(DOUBLINGS):
        inverse = inverse @ (2 * identity - a @ inverse)
    return inverse @ gradient
