"""What all searches for programs answer."""

from __future__ import annotations

from dataclasses import dataclass

from nalm.networks.program import Program
from nalm.solving.answer import Answer, Status
from nalm.solving.verify import decided

EXACT = 1e-9
"""Error over spread below which a program is exact; for single precision a thousand roundings."""


@dataclass(frozen=True)
class ProgramAnswer(Answer):
    """The best program that was found.

    Attributes:
        program: all lines, the last one included; the shortest of those about as good.
        error: its root mean square error on all rows over the standard deviation of y.
        exact: whether that is no more than rounding.
        seconds: time it took.
    """

    program: Program
    error: float
    exact: bool
    seconds: float

    @property
    def status(self) -> Status:  # type: ignore[override]
        """Verified if exact: programs are found on some rows and judged on all."""
        return decided(self.exact)
