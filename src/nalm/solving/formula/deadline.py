"""Until when something may take: handed down to whatever may take long."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Deadline:
    """A moment by some clock.

    Attributes:
        moment: in seconds; never, by default.
        clock: what tells the time.

    Example:
        >>> NEVER.passed(), Deadline(0.0).passed()
        (False, True)
    """

    moment: float = float("inf")
    clock: Callable[[], float] = time.monotonic

    def passed(self) -> bool:
        """Whether the moment has come."""
        return self.clock() > self.moment


NEVER = Deadline()
