"""What `solve` answers: a network, and how far it may be trusted."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import sympy
from torch import nn

from nalm.solving.answer import Answer, Status
from nalm.solving.network.samples import EXACT


@dataclass(frozen=True)
class SolutionEvidence:
    """What a status rests on. Errors are root mean squares on held-out data, in standard deviations of y.

    Attributes:
        error_before: with the fitted real weights.
        error_after: with the discrete weights.
        error_of_network: of the network itself; larger than `error_after` where a unit adds an ε to inputs.
        rounding: largest held-out error in units of what rounding the data alone could cause; up to about 1
            for exact data, whatever the range.
        standard_error: of the worst determined weight; infinite if the data leave it open.
        restarts: starts of the iterative fit that were used, 0 if it was solved in closed form.
        structures: structures tried, the answer's own included.
        samples: rows fitted and rows held out.
        seconds: wall clock time.
    """

    error_before: float
    error_after: float
    error_of_network: float
    rounding: float
    standard_error: float
    restarts: int
    structures: int
    samples: tuple[int, int]
    seconds: float


@dataclass(frozen=True)
class Solution(Answer):
    """A network with its weights set, and what is known about them.

    Attributes:
        network: a copy of the given network with the weights found: discrete wherever discrete weights are
            declared and `verified`, else the best fit.
        status: `Status.VERIFIED`, or the reason why not.
        evidence: the numbers behind the status.
    """

    network: nn.Module
    status: Status
    evidence: SolutionEvidence

    @property
    def exact(self) -> bool:
        """Whether held-out errors are no more than rounding of the data could cause."""
        return self.evidence.rounding <= EXACT

    @functools.cached_property
    def formula(self) -> sympy.Expr:
        """What the network computes, in x1, x2, …: an expression, or a `sympy.Tuple` of one per output."""
        expressions = self.network.expression(rounded=self.verified)  # type: ignore[operator]
        return expressions[0] if len(expressions) == 1 else sympy.Tuple(*expressions)

    def __str__(self) -> str:
        after, seconds = self.evidence.error_after, self.evidence.seconds
        errors = f"held-out error {after:.2g} standard deviations, {seconds:.2g} s"
        return f"{self.formula}\n{self.verdict()}\n{errors}"
