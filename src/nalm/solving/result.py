"""What the solver answers: a network, and how far it may be trusted."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from enum import Enum

import sympy
from torch import nn

EXACT = 8.0
"""Errors up to this many times the bound on rounding count as rounding; the bound is to first order."""


class Status(Enum):
    """Whether the weights found are the ones behind the data, and if not, why not; its value in words."""

    VERIFIED = "the weights reproduce held-out data, and the data determine them"
    NOT_IDENTIFIABLE = (
        "the data do not determine the weights: too few or dependent samples, "
        "too narrow a range, or too much noise"
    )
    NOT_DISCRETE = (
        "real weights fit, discrete ones do not: the network computes this only with weights in between"
    )
    NOT_REPRESENTABLE = "no weights of this network fit the data"
    DID_NOT_CONVERGE = "the fits from different starts stopped at different errors: a better one may exist"
    OUT_OF_TIME = "the time limit was reached before the search was over: raise max_time"


@dataclass(frozen=True)
class Evidence:
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
class Solution:
    """A network with its weights set, and what is known about them.

    Attributes:
        network: a copy of the given network with the weights found: discrete wherever discrete weights are
            declared and `verified`, else the best fit.
        status: `Status.VERIFIED`, or the reason why not.
        evidence: the numbers behind the status.
    """

    network: nn.Module
    status: Status
    evidence: Evidence

    @property
    def verified(self) -> bool:
        """Whether the weights reproduce held-out data and are determined by the data: evidence, not proof."""
        return self.status is Status.VERIFIED

    @property
    def exact(self) -> bool:
        """Whether held-out errors are no more than rounding of the data could cause."""
        return self.evidence.rounding <= EXACT

    @property
    def reason(self) -> str:
        """The status in words."""
        return self.status.value

    @functools.cached_property
    def formula(self) -> sympy.Expr:
        """What the network computes, in x1, x2, …: an expression, or a `sympy.Tuple` of one per output."""
        expressions = self.network.expression(rounded=self.verified)  # type: ignore[operator]
        return expressions[0] if len(expressions) == 1 else sympy.Tuple(*expressions)

    def __str__(self) -> str:
        found = "verified" if self.verified else f"not verified ({self.status.name}): {self.status.value}"
        after, seconds = self.evidence.error_after, self.evidence.seconds
        return f"{self.formula}\n{found}\nheld-out error {after:.2g} standard deviations, {seconds:.2g} s"
