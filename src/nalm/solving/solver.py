"""`nalm.solve`: the exact weights of a network of units, from data."""

from __future__ import annotations

import copy
import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import torch
from torch import Tensor, nn

from nalm.networks.stack import Stack
from nalm.solving.chain import Chain
from nalm.solving.data import Data, prepare
from nalm.solving.embedding import Run, Slot, side_by_side, thread
from nalm.solving.fits import Fit
from nalm.solving.literal import solve_literally
from nalm.solving.patterns import fits, patterns
from nalm.solving.result import Evidence, Solution, Status
from nalm.solving.verify import SLACK, Judgement, diagnose, error, judge
from nalm.units.base import Unit
from nalm.units.forms import Form


def solve(
    network: nn.Module | Sequence[nn.Module],
    X: Any,
    y: Any,
    *,
    random_state: int = 0,
    max_time: float = 60.0,
) -> Solution:
    """Find the discrete weights with which a network of units computes y from X, and verify them.

    Units say by `Unit.forms` what they compute at discrete weights. Sums, powers and quotients of sums are
    then solved by algebra, products of sums by Levenberg–Marquardt from a spectral start, everything else
    from random starts; structures are tried simplest first. A part of the samples is held out: weights are
    accepted only if they reproduce these and the data determine them. Networks with a unit that has no form
    are fitted as they are, by Levenberg–Marquardt on their parameters.

    Args:
        network: a unit or a stack of units; or several, of which the first in order that is verified is the
            answer (on noisy data the one with the smallest error). They are left as they are.
        X: inputs [samples, inputs], an array or tensor. Their precision sets what counts as rounding.
        y: targets [samples] or [samples, outputs].
        random_state: seed of the split and of random starts: same seed, same answer.
        max_time: seconds after which the search stops.

    Returns:
        The solution: network, formula, status and evidence.

    Raises:
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
    started = time.monotonic()
    solutions: list[Solution] = []
    for position, candidate in enumerate(candidates):
        now = time.monotonic()
        share = (started + max_time - now) / (len(candidates) - position)
        solutions.append(_solve(candidate, X, y, random_state, now + share))
        if solutions[-1].verified and solutions[-1].exact:
            break
    verified = [solution for solution in solutions if solution.verified]
    best = _best(verified or solutions)
    if not verified and any(solution.status is Status.OUT_OF_TIME for solution in solutions):
        best = replace(best, status=Status.OUT_OF_TIME)  # another candidate might have been the answer
    restarts = sum(solution.evidence.restarts for solution in solutions)
    structures = sum(solution.evidence.structures for solution in solutions)
    seconds = time.monotonic() - started
    return replace(
        best, evidence=replace(best.evidence, restarts=restarts, structures=structures, seconds=seconds)
    )


def _best(solutions: Sequence[Solution]) -> Solution:
    exact = [solution for solution in solutions if solution.exact]
    if exact:
        return exact[0]
    errors = [s.evidence.error_after if s.verified else s.evidence.error_before for s in solutions]
    return solutions[next(i for i, error in enumerate(errors) if error <= SLACK * min(errors))]


@dataclass(frozen=True)
class _Answer:
    """What was found for one output."""

    judgement: Judgement
    matrices: list[Tensor] | None
    restarts: int
    structures: int


def _solve(network: nn.Module, X: Any, y: Any, random_state: int, deadline: float) -> Solution:
    units = _units(network)
    generator = torch.Generator().manual_seed(random_state)
    inputs, outputs = network.in_features, network.output_features
    data = prepare(X, y, cast(int, inputs), cast(int, outputs), generator)
    found: list[Solution] = []
    for forms in itertools.product(*(unit.forms() for unit in units)):
        slots = [Slot(f.kind, f.values, u.output_features) for f, u in zip(forms, units, strict=True)]
        answers = [_output(one, slots, generator, deadline) for one in data]
        if any(answer is None for answer in answers):
            continue
        found.append(_assemble(network, forms, slots, cast(list[_Answer], answers), data))
        if found[-1].verified:
            return found[-1]
    # Logarithms cannot use rows with a zero, the units themselves can.
    if not found or bool((data[0].x == 0).any()):
        found.append(solve_literally(network, data, generator, deadline))
        if found[-1].verified:
            return found[-1]
    return _best(found)


def _units(network: nn.Module) -> list[Unit]:
    if isinstance(network, Stack):
        return [cast(Unit, layer) for layer in network.layers]
    if isinstance(network, Unit):
        return [network]
    raise TypeError(f"solve takes a unit or a Stack of units, got {type(network).__name__}")


def _output(data: Data, slots: list[Slot], generator: torch.Generator, deadline: float) -> _Answer | None:
    """Try patterns and fits until one is verified and fits into the network; else the one that fits best."""
    best: tuple[float, tuple[Run, ...], Fit, Judgement | None] | None = None
    restarts = structures = 0
    for pattern, fit in _all_fits(data, slots, generator, deadline):
        restarts, structures = restarts + fit.restarts, structures + 1
        judgement = judge(fit, data)
        if judgement is not None:
            matrices = thread(fit.snapped, pattern, slots)
            if matrices is None or not _same(matrices, slots, fit.snapped, data.x):
                judgement = replace(judgement, status=Status.NOT_REPRESENTABLE)
            elif judgement.status is Status.VERIFIED:
                return _Answer(judgement, matrices, restarts, structures)
        before = error(fit.fitted, data)
        if best is None or before < 0.5 * best[0]:
            best = before, pattern, fit, judgement
    if best is None:
        return None
    _, pattern, fit, judgement = best
    judgement = judgement or diagnose(fit, data)
    if time.monotonic() > deadline and judgement.status is not Status.NOT_IDENTIFIABLE:
        judgement = replace(judgement, status=Status.OUT_OF_TIME)
    return _Answer(judgement, thread(fit.fitted, pattern, slots, exact=False), restarts, structures)


def _all_fits(
    data: Data, slots: list[Slot], generator: torch.Generator, deadline: float
) -> Iterator[tuple[tuple[Run, ...], Fit]]:
    for pattern in patterns(slots):
        for fit in fits(pattern, slots, data, generator, deadline):
            yield pattern, fit
        if time.monotonic() > deadline:
            return


def _same(matrices: list[Tensor], slots: list[Slot], chain: Chain, x: Tensor) -> bool:
    """Whether the layers that pass values on really do: a magnitude loses the sign."""
    whole = Chain(tuple(slot.kind for slot in slots), tuple(matrices))
    return torch.allclose(whole(x), chain(x), rtol=1e-9)


def _assemble(
    network: nn.Module, forms: Sequence[Form], slots: list[Slot], answers: list[_Answer], data: list[Data]
) -> Solution:
    """The answers of all outputs as one network."""
    status = next((a.judgement.status for a in answers if a.judgement.status is not Status.VERIFIED), None)
    threads = [answer.matrices for answer in answers if answer.matrices is not None]
    matrices = side_by_side(threads, slots, data[0].x.shape[1]) if len(threads) == len(answers) else None
    result = copy.deepcopy(network)
    if matrices is not None:
        for unit, form, matrix in zip(_units(result), forms, matrices, strict=True):
            unit.assign(**form.weights(matrix))
            unit.project()
    elif status is None:
        status = Status.NOT_REPRESENTABLE  # every output alone, but not all of them in so few hidden units
    return Solution(result, status or Status.VERIFIED, _evidence(result, answers, data))


def _evidence(network: nn.Module, answers: list[_Answer], data: list[Data]) -> Evidence:
    judgements = [answer.judgement for answer in answers]
    fitted = data[0].fitted
    with torch.no_grad():
        values = copy.deepcopy(network).double().eval()(data[0].x[fitted:])
    errors = [
        ((v - d.y[fitted:]) / d.scale[fitted:]).square().mean().sqrt()
        for v, d in zip(values.T, data, strict=True)
    ]
    return Evidence(
        error_before=max(j.error_before for j in judgements),
        error_after=max(j.error_after for j in judgements),
        error_of_network=float(torch.stack(errors).max()),
        rounding=max(j.rounding for j in judgements),
        standard_error=max(j.standard_error for j in judgements),
        restarts=sum(answer.restarts for answer in answers),
        structures=sum(answer.structures for answer in answers),
        samples=(fitted, len(data[0].y) - fitted),
        seconds=0.0,
    )
