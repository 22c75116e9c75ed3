"""How far a search goes."""

from __future__ import annotations

import time
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class SearchLimits:
    """What every part of a search shares.

    Attributes:
        generator: of all random numbers.
        deadline: `time.monotonic()` after which to stop.
        thorough: whether to go on to random starts where algebra finds nothing.
    """

    generator: torch.Generator
    deadline: float
    thorough: bool = True

    @property
    def is_over(self) -> bool:
        """Whether the deadline has passed."""
        return time.monotonic() > self.deadline
