"""When a run starts over: the iNALU's reinitialisation as data."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Restart:
    """The reinitialisation rule of the iNALU (Schlör et al. 2020; 002 section 2.2.2).

    Formally, with H₁ and H₂ the first and second half of the n losses stored since the last start, parameters
    are redrawn and the stored losses forgotten when, at an iteration divisible by `every`,

        n > window,   mean H₁ ≤ mean H₂ + sd H₂   and   mean H₂ > threshold

    The published benchmark stores the latest validation error once per iteration, asks for 5,000 of them
    where the thesis says 10,000, and keeps the optimiser's state (D7).

    Attributes:
        every: iterations between two checks.
        window: how many losses must be exceeded before a check can succeed.
        threshold: mean loss up to which a stalled run is left alone.
    """

    every: int = 10
    window: int = 5000
    threshold: float = 1.0

    def scaled(self, factor: float) -> Restart:
        """The same rule on a fraction of the iterations."""
        return Restart(max(1, round(self.every * factor)), round(self.window * factor), self.threshold)

    def due(self, losses: Tensor) -> Tensor:
        """Whether runs whose losses since the last start are `losses`, of shape [..., n], have stalled.

        Example:
            >>> rule = Restart(window=3)
            >>> rule.due(torch.tensor([[9.0, 8.0, 2.0, 1.5], [2.0, 2.0, 2.0, 2.0], [0.5, 0.5, 0.5, 0.5]]))
            tensor([False,  True, False])
        """
        stored = losses.shape[-1]
        if stored <= self.window:
            return torch.zeros(losses.shape[:-1], dtype=torch.bool, device=losses.device)
        first, second = losses[..., : stored // 2], losses[..., stored // 2 :]
        improved = first.mean(-1) > second.mean(-1) + second.std(-1, correction=0)
        return ~improved & (second.mean(-1) > self.threshold)
