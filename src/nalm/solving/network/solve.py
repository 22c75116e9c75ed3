"""`nalm.solve`: the exact weights of a network of units, from data."""

from __future__ import annotations

import itertools
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import torch
from torch import nn

from nalm.solving.answer import Status
from nalm.solving.network.fit_evidence import SLACK
from nalm.solving.network.limits import SearchLimits
from nalm.solving.network.outputs import solve_outputs, units_of
from nalm.solving.network.own_parameters import fit_own_parameters
from nalm.solving.network.samples import FitSamples, prepare
from nalm.solving.network.solution import Solution
from nalm.units.forms import Form


def solve(
    network: nn.Module | Sequence[nn.Module],
    X: Any,
    y: Any,
    *,
    seed: int | None = 0,
    max_time: float = 60.0,
) -> Solution:
    """Find the discrete weights with which a network of units computes y from X, and verify them.

    `Unit.forms` says what a unit computes at discrete weights. Sums, powers and quotients of sums are
    then solved by algebra, products of sums by Levenberg–Marquardt from a spectral start, everything else
    from random starts; structures are tried simplest first. Some samples are held out: weights are
    accepted only if they reproduce these and the data determine them. Networks with a unit that has no form
    are fitted as they are, by Levenberg–Marquardt on their parameters.

    Args:
        network: a unit or a stack of units; or several, in which case the first one that is verified is the
            answer (on noisy data the one with the smallest error). They are left as they are.
        X: inputs [samples, inputs], an array or tensor. Their precision sets what counts as rounding.
        y: targets [samples] or [samples, outputs].
        seed: of the split and of random starts: same seed, same answer; None draws one.
        max_time: seconds after which the search stops.

    Returns:
        The solution: network, formula, status and evidence.

    Raises:
        TypeError: if a network is not made of units alone.
        ValueError: if shapes do not fit the network, or values are missing or infinite.

    Example:
        >>> from nalm import NAU, RealNPU, Stack, solve
        >>> X = torch.rand(100, 3) + 1
        >>> y = (X[:, 0] + X[:, 1]) / X[:, 2]
        >>> solution = solve(Stack(NAU(3, 2), RealNPU(2, 1)), X, y)
        >>> solution.verified, solution.formula
        (True, (x1 + x2)/x3)
        >>> solve([NAU(3, 1), RealNPU(3, 1)], X, X[:, 0] * X[:, 2]).formula
        x1*x3
    """
    candidates = list(network) if isinstance(network, Sequence) else [network]
    if not candidates:
        raise ValueError("solve needs a network, or a sequence of at least one")
    if seed is None:
        seed = secrets.randbits(31)
    started = time.monotonic()
    ways = [way for candidate in candidates for way in _ways(candidate, X, y, seed)]
    tried: list[Solution] = []
    for thorough in (False, True) if len(ways) > 1 else (True,):
        for position, way in enumerate(ways):
            now = time.monotonic()
            # Algebra takes no time worth sharing out.
            share = (started + max_time - now) / (len(ways) - position if thorough else 1)
            limits = SearchLimits(torch.Generator().manual_seed(seed), now + share, thorough)
            solution = way.solve(limits)
            if solution is not None:
                tried.append(solution)
                if solution.verified and solution.exact:
                    return _answer([solution], tried, started)
        verified = [solution for solution in tried if solution.verified]
        if verified:
            return _answer(verified, tried, started)
    return _answer(tried, tried, started)


@dataclass(frozen=True)
class _Way:
    """A candidate with a form for each of its units, or none: then it is fitted as it is."""

    network: nn.Module
    forms: tuple[Form, ...] | None
    data: list[FitSamples]

    def solve(self, limits: SearchLimits) -> Solution | None:
        if self.forms is not None:
            return solve_outputs(self.network, self.forms, self.data, limits)
        return fit_own_parameters(self.network, self.data, limits) if limits.thorough else None


def _ways(network: nn.Module, X: Any, y: Any, seed: int) -> list[_Way]:
    units = units_of(network)
    generator = torch.Generator().manual_seed(seed)
    inputs, outputs = cast(int, network.in_features), cast(int, network.output_features)
    data = prepare(X, y, inputs, outputs, generator)
    ways = [_Way(network, forms, data) for forms in itertools.product(*(unit.forms() for unit in units))]
    # Logarithms cannot use rows with a zero, the units themselves can.
    zeros = bool((data[0].x == 0).any()) or any(bool((one.y == 0).all()) for one in data)
    return ways if ways and not zeros else [*ways, _Way(network, None, data)]


def _answer(solutions: Sequence[Solution], tried: Sequence[Solution], started: float) -> Solution:
    """The best of the solutions, with the effort of all that were tried."""
    best = _best(solutions)
    if not best.verified and any(solution.status is Status.OUT_OF_TIME for solution in tried):
        best = replace(best, status=Status.OUT_OF_TIME)  # another candidate might have been the answer
    evidence = replace(
        best.evidence,
        restarts=sum(solution.evidence.restarts for solution in tried),
        structures=sum(solution.evidence.structures for solution in tried),
        seconds=time.monotonic() - started,
    )
    return replace(best, evidence=evidence)


def _best(solutions: Sequence[Solution]) -> Solution:
    exact = [solution for solution in solutions if solution.exact]
    if exact:
        return exact[0]
    errors = [s.evidence.error_after if s.verified else s.evidence.error_before for s in solutions]
    return solutions[next(i for i, error in enumerate(errors) if error <= SLACK * min(errors))]
