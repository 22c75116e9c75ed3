"""Networks with a unit that has no form: Levenberg–Marquardt on the parameters of the network as it is."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.func import functional_call, jvp, vmap

from nalm.networks.model import boxes, units_in
from nalm.solving.answer import Status
from nalm.solving.network.fit_evidence import DETERMINED, FitEvidence, error, judge, misfit, rounding_ratio
from nalm.solving.network.limits import SearchLimits
from nalm.solving.network.minimise import SAME_MINIMUM, minimise
from nalm.solving.network.samples import EXACT, FitSamples
from nalm.solving.network.solution import Solution, SolutionEvidence
from nalm.solving.verify import decided, together

Evaluate = Callable[[Tensor], Tensor]
Linearise = Callable[[Tensor], tuple[Tensor, Tensor]]

RESTARTS, BATCHES = 8, 4
"""Starts fitted side by side, and how often that is repeated before the fit is given up."""
ROWS, LEAST_ROWS = 5, 100
"""Fitted rows per parameter, and beyond that; more only cost time."""
DOUBLES = 2**24
"""Numbers a Jacobian may hold at once: derivatives of wide layers are taken a few parameters at a time."""
NUDGE = 0.1
"""How far a real weight is moved, relative to its size, to see whether that shows."""


def fit_own_parameters(network: nn.Module, data: list[FitSamples], limits: SearchLimits) -> Solution:
    """Fit the parameters from the units' own starts, round the weights, and compare on held-out data."""
    model = _Model(network, data)
    best: Solution | None = None
    for batch in range(1, BATCHES + 1):
        end = minimise(
            *model.residuals(),
            model.starts(RESTARTS, limits.generator),
            box=model.box,
            deadline=limits.deadline,
        )
        order = end.loss.argsort()
        converged = int((end.loss <= SAME_MINIMUM * end.loss[order[0]]).sum()) > 1
        for parameters in end.parameters[order[:2]]:
            solution = model.judge(parameters, converged, batch * RESTARTS)
            if solution.verified:
                return solution
            if best is None or solution.evidence.error_before < best.evidence.error_before:
                best = solution
        if limits.is_over:
            break
    assert best is not None
    late = limits.is_over and best.status is not Status.NOT_IDENTIFIABLE
    return Solution(best.network, Status.OUT_OF_TIME if late else best.status, best.evidence)


@dataclass(frozen=True)
class _Output:
    """One output of a network as a function."""

    network: nn.Module
    output: int

    @torch.no_grad()
    def predict(self, x: Tensor) -> Tensor:
        return self.network(x)[:, self.output]

    def rounding(self, x: Tensor, y: Tensor) -> Tensor:
        read = x.clone().requires_grad_()
        (slopes,) = torch.autograd.grad(self.network(read)[:, self.output].sum(), read)
        return y.abs() + (slopes * x).abs().sum(dim=-1)


class _Model:
    """The network in double precision as a function of one vector of parameters."""

    def __init__(self, network: nn.Module, data: list[FitSamples]) -> None:
        self.original, self.data = network, data
        self.network = copy.deepcopy(network).double().eval()
        self.shapes = {name: parameter.shape for name, parameter in self.network.named_parameters()}
        self.x = data[0].x
        self.y = torch.stack([one.y for one in data], dim=-1)
        self.scale = torch.stack([one.scale for one in data], dim=-1)
        self.rows = min(
            data[0].fitted, LEAST_ROWS + ROWS * sum(shape.numel() for shape in self.shapes.values())
        )
        bounds = boxes(self.network)
        low, high = (
            torch.cat([self.x.new_full((s.numel(),), bounds.get(n, free)[i]) for n, s in self.shapes.items()])
            for i, free in enumerate([(-torch.inf, torch.inf)] * 2)
        )
        self.box = (low, high)

    def starts(self, count: int, generator: torch.Generator) -> Tensor:
        """[count, P]: the parameters as the units draw them."""
        rows = []
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(torch.randint(2**31, (), generator=generator)))
            for _ in range(count):
                self.network.reset_parameters()  # type: ignore[operator]
                rows.append(torch.cat([p.detach().flatten() for p in self.network.parameters()]))
        return torch.stack(rows)

    def value(self, parameters: Tensor, x: Tensor) -> Tensor:
        """Outputs [N, O] of one vector of parameters."""
        parts = parameters.split([shape.numel() for shape in self.shapes.values()])
        named = {
            name: part.reshape(shape) for part, (name, shape) in zip(parts, self.shapes.items(), strict=True)
        }
        return functional_call(self.network, named, (x,))

    def residuals(self) -> tuple[Evaluate, Linearise]:
        """Scaled residuals of all outputs on some of the fitted rows."""
        x, y, scale = (part[: self.rows] for part in (self.x, self.y, self.scale))

        def one(parameters: Tensor) -> Tensor:
            return ((self.value(parameters, x) - y) / scale).flatten()

        chunk = max(1, DOUBLES // (x.numel() * self.y.shape[1]))

        def slope(parameters: Tensor) -> Tensor:
            directions = torch.eye(len(parameters), dtype=parameters.dtype)
            return vmap(lambda d: jvp(one, (parameters,), (d,))[1], chunk_size=chunk)(directions).T

        @torch.no_grad()
        def evaluate(parameters: Tensor) -> Tensor:
            return vmap(one)(parameters)

        @torch.no_grad()
        def linearise(parameters: Tensor) -> tuple[Tensor, Tensor]:
            return evaluate(parameters), torch.stack([slope(row) for row in parameters])

        return evaluate, linearise

    def judge(self, parameters: Tensor, converged: bool, restarts: int) -> Solution:
        """Round the weights and compare on held-out data."""
        start = 0
        for parameter in self.network.parameters():
            parameter.data.copy_(parameters[start : start + parameter.numel()].reshape(parameter.shape))
            start += parameter.numel()
        rounded = copy.deepcopy(self.network)
        for _, unit in units_in(rounded):
            unit.assign(**{n: w for n, w in unit.rounded_weights().items() if unit.declared[n].values})
        judgements = [
            self._judgement(_Output(self.network, o), _Output(rounded, o), one, converged)
            for o, one in enumerate(self.data)
        ]
        status = together(j.status for j in judgements)
        spread = torch.inf
        if status is Status.VERIFIED:
            spread = self._standard_error(rounded)
            status = decided(spread < DETERMINED, otherwise=Status.NOT_IDENTIFIABLE)
        result = copy.deepcopy(self.original)
        result.load_state_dict((rounded if status is Status.VERIFIED else self.network).state_dict())
        fitted = self.data[0].fitted
        after = max(j.error_after for j in judgements)
        evidence = SolutionEvidence(
            error_before=max(j.error_before for j in judgements),
            error_after=after,
            error_of_network=after,
            rounding=max(j.rounding for j in judgements),
            standard_error=spread,
            restarts=restarts,
            structures=1,
            samples=(fitted, len(self.x) - fitted),
            seconds=0.0,
        )
        return Solution(result, status, evidence)

    def _judgement(self, fitted: _Output, rounded: _Output, data: FitSamples, converged: bool) -> FitEvidence:
        """What is known of one output, before it is asked whether the data determine the weights."""
        found = judge(fitted, rounded, data, uncertainty=lambda: 0.0)
        if found is not None and found.status is Status.VERIFIED:
            return found
        rounding = rounding_ratio(rounded, data)
        return FitEvidence(
            misfit(fitted, data, converged), error(fitted, data), error(rounded, data), rounding, torch.inf
        )

    @torch.no_grad()
    def _standard_error(self, network: nn.Module) -> float:
        """σ·d/√Δ for the weight whose move by d, to its next value, raises the sum of squares by the least Δ.

        Other weights stay put, so this is a lower bound. A discrete weight that moves no output, such as one
        behind a closed gate, has nothing to determine; a real one that moves none could have been anything.
        """
        here = network(self.x)
        residual = (here - self.y) / self.scale
        noise = residual.square().mean().clamp_min(max(one.rounding_variance for one in self.data))
        worst = 0.0
        for there, distance, discrete in self._neighbours(network):
            step = (there - here) / self.scale
            acts = float(step.abs().max()) > EXACT * self.data[0].eps
            rise = ((there - self.y) / self.scale).square().sum() - residual.square().sum()
            if acts and rise > 0:
                worst = max(worst, distance * float((noise / rise).sqrt()))
            elif acts or not discrete:
                return torch.inf
        return worst

    def _neighbours(self, network: nn.Module) -> Iterator[tuple[Tensor, float, bool]]:
        """Outputs with one weight moved to its next value, how far that is, and whether it is a discrete one.

        Real weights are moved by a tenth of their size.
        """
        for _, unit in units_in(network):
            for name, declared in unit.declared.items():
                weight = getattr(unit, name).detach().clone()
                for index, value in enumerate(weight.flatten().tolist()):
                    others = [other for other in declared.values if other != value] or [
                        value + NUDGE * max(1, abs(value))
                    ]
                    target = min(others, key=lambda other: abs(other - value))
                    moved = weight.clone()
                    moved.view(-1)[index] = target
                    unit.assign(**{name: moved})
                    yield network(self.x), abs(target - value), bool(declared.values)
                unit.assign(**{name: weight})
