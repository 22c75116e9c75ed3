"""What both recurrent input selectors share: a workspace, timesteps, and the choice of a module at each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from nalm.networks.block import Block, Step
from nalm.networks.choosing import gated_choice, gumbel, largest, st_softmax, weighted
from nalm.units.base import Noise
from nalm.units.option_checks import one_of

if TYPE_CHECKING:
    import sympy

SELECTIONS = ("gated", "straight-through", "gumbel", "soft")


class Selector(Block):
    """Base class of the recurrent input selectors (002 section 7.2.5).

    The workspace holds the inputs and a scratchpad with one slot per timestep. At each timestep every module
    reads the workspace, one module is selected, and its output is written to the timestep's slot. The last
    line of working is the output.

    Formally, with the inputs x and learnt logits w_t and gate logit ĝ_t for every timestep,

        line_t = select_t(module_1(x, line_1, …, line_{t−1}, e, …), …, module_M(…))

    where in training the selection is that of `nalm.networks.choosing.gated_choice`, 002 algorithm 1, and in
    evaluation the most likely module. The thesis does not say what an empty slot holds. Two formulas of its
    table 7.6, 0 × 1 and −1 − a − b − c, contain a 1 that no line of working explains, so e = 1.

    Args:
        in_features: number of inputs.
        out_features: number of outputs; each has lines of working of its own.
        modules: how many modules there are.
        timesteps: lines of working.
        selection: `"gated"` is published; `"straight-through"` always selects the most likely module and
            `"gumbel"` always draws one; `"soft"` mixes all by softmax(w / τ), for a τ that is lowered while
            training by `selector.temperature.fill_(…)`.
        temperature: τ, the start of it if it is lowered.
        gate_start: start of ĝ.
        spread: standard deviation of the logits' start around the published one.
        empty: e, what a slot holds before it is written.
        visible: read only slots that have been written.
        both_gradients: which gradient the gated selection has, see `gated_choice`.
    """

    temperature: Tensor

    def __init__(
        self,
        in_features: int,
        out_features: int,
        modules: int,
        *,
        timesteps: int = 2,
        selection: str = "gated",
        temperature: float = 10.0,
        gate_start: float = -1.0,
        spread: float = 0.0,
        empty: float = 1.0,
        visible: bool = False,
        both_gradients: bool = True,
    ) -> None:
        super().__init__(in_features, out_features)
        if timesteps < 1 or modules < 1:
            raise ValueError(f"a selector needs timesteps and modules, got {timesteps} and {modules}")
        self.timesteps = timesteps
        self.selection = one_of("selection", selection, SELECTIONS)
        self.gate_start = gate_start
        self.spread = spread
        self.empty = empty
        self.visible = visible
        self.both_gradients = both_gradients
        self.register_buffer("temperature", torch.tensor(float(temperature)))
        self.module_logits = nn.Parameter(torch.empty(timesteps, out_features, modules))
        self.gate_logits = nn.Parameter(torch.empty(timesteps, out_features))

    @property
    def slots(self) -> int:
        """Size of the workspace."""
        return self.in_features + self.timesteps

    def reset_parameters(self) -> None:
        self.draw(self.module_logits)
        nn.init.constant_(self.gate_logits, self.gate_start)

    def draw(self, logits: Tensor) -> None:
        """Logits at 0, or around it."""
        nn.init.zeros_(logits)
        if self.spread:
            nn.init.normal_(logits, 0.0, self.spread)

    def noise(self) -> Noise | None:
        if self.selection in ("straight-through", "soft"):
            return None
        return Noise("uniform", lambda batch: tuple(self.module_logits.shape))

    def select(self, outputs: Sequence[Tensor], timestep: int, noise: Tensor | None) -> Tensor:
        """One line of working from the outputs of the modules, [..., out_features] each."""
        logits = self.module_logits[timestep]
        if not self.training:
            return weighted(outputs, largest(logits))
        if self.selection == "straight-through":
            return weighted(outputs, st_softmax(logits, self.temperature))
        if self.selection == "soft":
            return weighted(outputs, torch.softmax(logits / self.temperature, dim=-1))
        # One draw for the whole batch, as the algorithm multiplies outputs [batch, modules] by one column.
        uniform = torch.rand_like(logits) if noise is None else noise[timestep]
        if self.selection == "gumbel":
            return weighted(outputs, st_softmax(logits + gumbel(uniform), self.temperature))
        gate = self.gate_logits[timestep]
        return gated_choice(
            outputs, logits, gate, uniform, self.temperature, both_gradients=self.both_gradients
        )

    def selected(self) -> list[list[int]]:
        """The most likely module of every timestep and output."""
        choices: list[list[int]] = self.module_logits.argmax(dim=-1).tolist()
        return choices

    def line(
        self, timestep: int, output: int, symbols: Sequence[sympy.Expr], *, rounded: bool
    ) -> tuple[str, sympy.Expr]:
        """Name of the module selected for a line of working, and its formula in the slots."""
        raise NotImplementedError(f"{type(self).__name__} must define line()")

    def steps(self, symbols: Sequence[sympy.Expr], *, rounded: bool = True) -> list[Step]:
        """Every line of working; z1, z2, … are the earlier ones in a line's own formula."""
        import sympy

        lines = sympy.symbols(f"z1:{self.timesteps + 1}")
        found: list[Step] = []
        for timestep in range(self.timesteps):
            empty = [sympy.nsimplify(self.empty)] * (self.timesteps - timestep)
            workspace = [*symbols, *lines[:timestep], *empty]
            rows = [
                self.line(timestep, output, workspace, rounded=rounded) for output in range(self.out_features)
            ]
            own = [formula for _, formula in rows]
            full = [
                formula.subs({z: step.expressions[output] for z, step in zip(lines, found, strict=False)})
                for output, formula in enumerate(own)
            ]
            used = any(formula.free_symbols & set(lines) for formula in own)
            found.append(Step(", ".join(name for name, _ in rows), own, full, used))
        return found
