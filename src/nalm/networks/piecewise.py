"""An NSR that decides between sums: functions with two pieces, and recurrent cells made of them."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from nalm.units.additive import NAU
from nalm.units.comparison import NSR


class Piecewise(nn.Module):
    """A comparison c by an NSR, and one of two sums by NAUs.

    Formally, y = c·NAU₁(x) + (1 − c)·NAU₂(x). 002 appendix D.3.2 says only that an NSR is attached to a NAU.

    Args:
        in_features: number of inputs.
        scale: λ of the NSR.
        redundancy: its number of operand pairs.

    Example:
        >>> network = Piecewise(2, scale=10.0)
        >>> first, second = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]])
        >>> large = torch.tensor(20.0)
        >>> network.compare.assign(first=first[None], second=second[None])
        >>> network.compare.assign(sign_weight=large, zero_weight=-large, bias=-large)
        >>> network.then.assign(weight=first - second)
        >>> network.otherwise.assign(weight=second - first)
        >>> network(torch.tensor([[5.0, 2.0], [2.0, 5.0]])).round().tolist()
        [[3.0], [3.0]]
    """

    def __init__(self, in_features: int, *, scale: float = 1.0, redundancy: int = 1) -> None:
        super().__init__()
        self.in_features = in_features
        self.compare = NSR(in_features, 1, scale=scale, redundancy=redundancy)
        self.then = NAU(in_features, 1)
        self.otherwise = NAU(in_features, 1)

    def forward(self, x: Tensor) -> Tensor:
        holds = self.compare(x)
        pieces = torch.cat([self.then(x), self.otherwise(x)], dim=-1)
        return (holds * pieces).sum(dim=-1, keepdim=True)
