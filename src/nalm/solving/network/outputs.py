"""One network, its units each in one of their forms: fit every output, judge, and set the weights."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from nalm.networks.stack import Stack
from nalm.solving.answer import Status
from nalm.solving.network.algebra import Fit
from nalm.solving.network.chain import Chain
from nalm.solving.network.embedding import LayerForm, LayerGroup, side_by_side, thread
from nalm.solving.network.fit_evidence import FitEvidence, diagnose, error, judge_fit
from nalm.solving.network.limits import SearchLimits
from nalm.solving.network.samples import FitSamples
from nalm.solving.network.solution import Solution, SolutionEvidence
from nalm.solving.network.structures import active_groups, fits_of
from nalm.solving.verify import together
from nalm.units.base import Unit
from nalm.units.forms import Form

SAME = 1e-9
"""Relative difference of values that passing them on through idle layers may cause by rounding."""
CLEARLY_BETTER = 0.5
"""The factor of the error by which a later, more complex structure must do better."""


@dataclass(frozen=True)
class OutputAnswer:
    """What was found for one output."""

    judgement: FitEvidence
    matrices: list[Tensor] | None
    restarts: int
    structures: int


def units_of(network: nn.Module) -> list[Unit]:
    """The units of a network in their order."""
    if not isinstance(network, Unit | Stack):
        raise TypeError(f"solve takes a unit or a Stack of units, got {type(network).__name__}")
    units: list[Unit] = []
    for position, layer in enumerate(network.layers if isinstance(network, Stack) else [network]):
        if not isinstance(layer, Unit):
            raise TypeError(
                f"solve takes stacks of units, but layer {position} is a {type(layer).__name__}, which "
                "chooses between units: give solve one stack for each choice, as in "
                "solve([Stack(NAU(2, 1)), Stack(NMU(2, 1))], X, y)"
            )
        units.append(layer)
    return units


def solve_outputs(
    network: nn.Module, forms: Sequence[Form], data: list[FitSamples], limits: SearchLimits
) -> Solution | None:
    """The best fit of every output in one network; `None` if the data allow no fit in these forms."""
    units = units_of(network)
    slots = [LayerForm(f.kind, f.values, u.output_features) for f, u in zip(forms, units, strict=True)]
    answers = [_output(one, slots, limits) for one in data]
    found = [answer for answer in answers if answer is not None]
    return _assemble(network, forms, slots, found, data) if len(found) == len(data) else None


def _output(data: FitSamples, slots: list[LayerForm], limits: SearchLimits) -> OutputAnswer | None:
    """Try patterns and fits until one is verified and fits into the network; else the one that fits best."""
    best: tuple[float, tuple[LayerGroup, ...], Fit, FitEvidence | None] | None = None
    restarts = structures = 0
    for pattern, fit in _all_fits(data, slots, limits):
        restarts, structures = restarts + fit.restarts, structures + 1
        judgement = judge_fit(fit, data)
        if judgement is not None:
            matrices = thread(fit.snapped, pattern, slots)
            if matrices is None or not _same(matrices, slots, fit.snapped, data.x):
                judgement = replace(judgement, status=Status.NOT_REPRESENTABLE)
            elif judgement.status is Status.VERIFIED:
                return OutputAnswer(judgement, matrices, restarts, structures)
        before = error(fit.fitted, data)
        if best is None or before < CLEARLY_BETTER * best[0]:
            best = before, pattern, fit, judgement
    if best is None:
        return None
    _, pattern, fit, judgement = best
    judgement = judgement or diagnose(fit, data)
    if limits.is_over and judgement.status is not Status.NOT_IDENTIFIABLE:
        judgement = replace(judgement, status=Status.OUT_OF_TIME)
    return OutputAnswer(judgement, thread(fit.fitted, pattern, slots, exact=False), restarts, structures)


def _all_fits(
    data: FitSamples, slots: list[LayerForm], limits: SearchLimits
) -> Iterator[tuple[tuple[LayerGroup, ...], Fit]]:
    for pattern in active_groups(slots):
        for fit in fits_of(pattern, slots, data, limits):
            yield pattern, fit
        if limits.is_over:
            return


def _same(matrices: list[Tensor], slots: list[LayerForm], chain: Chain, x: Tensor) -> bool:
    """Whether the layers that pass values on really do: a magnitude loses the sign."""
    whole = Chain(tuple(slot.kind for slot in slots), tuple(matrices))
    return torch.allclose(whole(x), chain(x), rtol=SAME)


def _assemble(
    network: nn.Module,
    forms: Sequence[Form],
    slots: list[LayerForm],
    answers: list[OutputAnswer],
    data: list[FitSamples],
) -> Solution:
    """The answers of all outputs as one network."""
    status = together(answer.judgement.status for answer in answers)
    threads = [answer.matrices for answer in answers if answer.matrices is not None]
    matrices = side_by_side(threads, slots, data[0].x.shape[1]) if len(threads) == len(answers) else None
    result = copy.deepcopy(network)
    if matrices is not None:
        for unit, form, matrix in zip(units_of(result), forms, matrices, strict=True):
            unit.assign(**form.weights(matrix))
            unit.project()
    elif status is Status.VERIFIED:
        status = Status.NOT_REPRESENTABLE  # every output alone, but not all of them in so few hidden units
    return Solution(result, status, _evidence(result, answers, data))


def _evidence(network: nn.Module, answers: list[OutputAnswer], data: list[FitSamples]) -> SolutionEvidence:
    judgements = [answer.judgement for answer in answers]
    fitted = data[0].fitted
    with torch.no_grad():
        values = copy.deepcopy(network).double().eval()(data[0].x[fitted:])
    errors = [
        ((v - d.y[fitted:]) / d.scale[fitted:]).square().mean().sqrt()
        for v, d in zip(values.T, data, strict=True)
    ]
    return SolutionEvidence(
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
