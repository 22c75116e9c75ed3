"""Two distorted digits, one per colour channel: localised, classified, multiplied (002 section 4.6.1.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from nalm.networks.vision.digits import DigitClassifier, standardised
from nalm.networks.vision.heads import head
from nalm.networks.vision.spatial import SpatialTransformer


class ColourDigits(nn.Module):
    """A picture of two channels to the result of an operation, and to the two digits as they were read.

    One spatial transformer per digit looks at both channels; one classifier reads what either found.

    Args:
        unit: the head: a unit's name, or `"solved mul"`.
        options: of the unit.
        identity: start the spatial transformers from the identity; the reference code did not (D33).

    Example:
        >>> ColourDigits("NMU").eval()(torch.zeros(5, 2, 42, 42)).shape
        torch.Size([5, 3])
    """

    def __init__(self, unit: str, options: Sequence[tuple[str, Any]] = (), identity: bool = True) -> None:
        super().__init__()
        self.first = SpatialTransformer(identity=identity)
        self.second = SpatialTransformer(identity=identity)
        self.front = DigitClassifier(channels=2, size=21)
        self.head = head(unit, options)

    def read(self, x: Tensor) -> Tensor:
        """The numbers read off the images: [samples, 2, 42, 42] to [samples, 2]."""
        x = standardised(x)
        found = torch.cat([self.first(x), self.second(x)])
        digits: Tensor = self.front(found)
        return digits.unflatten(0, (2, -1)).T

    def forward(self, x: Tensor) -> Tensor:
        """The result, then the two digits: [samples, 3]."""
        digits = self.read(x)
        return torch.cat([self.head(digits), digits], dim=-1)
