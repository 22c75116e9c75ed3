"""W = tanh(Ŵ)·σ(M̂), the weight construction of the NALU family, and its inverse."""

from __future__ import annotations

import math

import torch
from torch import Tensor

GOLDEN = (1 + math.sqrt(5)) / 2
SATURATED = 40.0
"""σ(40) is 1 in double precision, and tanh(20) too."""


def tanh_sigmoid(weight_hat: Tensor, mask_hat: Tensor, base: float = math.e) -> Tensor:
    """tanh(Ŵ)·σ(M̂) with both functions to the given base: tanh_b(z) = tanh(z·ln b), σ_b(z) = σ(z·ln b)."""
    if base == math.e:
        return weight_hat.tanh() * mask_hat.sigmoid()
    scale = math.log(base)
    return (scale * weight_hat).tanh() * (scale * mask_hat).sigmoid()


def hats(
    weights: dict[str, Tensor], name: str, base: float = math.e, mask: str = "mask_hat"
) -> dict[str, Tensor]:
    """Replace the weight called `name` by parameters that produce it: M̂ saturated, Ŵ = artanh W."""
    rest = {key: value for key, value in weights.items() if key != name}
    if name not in weights:
        return rest
    target = torch.as_tensor(weights[name])
    inverse = target.double().atanh().clamp(-SATURATED / 2, SATURATED / 2) / math.log(base)
    return rest | {f"{name}_hat": inverse, mask: torch.full_like(inverse, SATURATED / math.log(base))}


def logits(value: Tensor) -> Tensor:
    """The parameters σ maps to `value`; 0 and 1 are met to double precision by saturation."""
    return torch.as_tensor(value).double().logit().clamp(-SATURATED, SATURATED)
