"""Two digits side by side: one classifier reads both, a unit computes (002 sections 4.6.1 and 5.10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from nalm.networks.vision.digits import DigitClassifier, standardised
from nalm.networks.vision.heads import head


class TwoDigits(nn.Module):
    """A picture of two digits to the result of an operation, and to the two digits as they were read.

    Args:
        unit: the head: a unit's name, or `"solved mul"` and the like.
        options: of the unit.
        classes: how many digits there are.
        first: the smallest.

    Example:
        >>> network = TwoDigits("NMU").eval()
        >>> network(torch.zeros(5, 28, 56, dtype=torch.uint8)).shape
        torch.Size([5, 3])
    """

    def __init__(
        self, unit: str, options: Sequence[tuple[str, Any]] = (), classes: int = 10, first: int = 0
    ) -> None:
        super().__init__()
        self.front = DigitClassifier(classes, first)
        self.head = head(unit, options)

    def read(self, x: Tensor) -> Tensor:
        """The numbers read off the images: [samples, 28, 56] to [samples, 2]."""
        halves = torch.stack(standardised(x).chunk(2, dim=-1), dim=1)
        digits: Tensor = self.front(halves.flatten(0, 1).unsqueeze(1))
        return digits.unflatten(0, (-1, 2))

    def forward(self, x: Tensor) -> Tensor:
        """The result, then the two digits: [samples, 3]."""
        digits = self.read(x)
        return torch.cat([self.head(digits), digits], dim=-1)
