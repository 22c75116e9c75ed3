"""The recurrent input selector whose modules are units that learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import torch
from torch import Tensor, nn

from nalm.networks.block import Part, block, build_part
from nalm.networks.selector import Selector
from nalm.units.base import Unit

if TYPE_CHECKING:
    import sympy


@block
class RecurrentSelector(Selector):
    """Recurrent input selector with learnable units (002 section 7.2.5).

    Formally, with units U_1, …, U_M on the workspace of inputs and scratchpad,

        line_t = select_t(U_1(x, line_1, …, line_{t−1}, e, …), …, U_M(…)),   y = line_T

    The thesis does not say whether timesteps share the units. Its lists of modules name the same unit twice,
    which is of use only if the two can serve at different timesteps, and table 7.5 shows a run whose two
    lines are the same formula; so they are shared here, and `shared=False` gives every timestep its own. Not
    stated either: the logits of the modules start at 0.

    Weaknesses: which module learns depends on which was selected by chance, and the straight-through gradient
    of a module that was not selected is that of an output nobody asked for.

    Args:
        in_features: number of inputs.
        out_features: 1.
        modules: the units, as (name, options) pairs.
        shared: the same units at all timesteps.
        **options: those of `Selector`.

    Example:
        >>> selector = RecurrentSelector(3, 1, modules=(("NAU", ()), ("NMU", ())))
        >>> add, multiply = selector.units[0]
        >>> add.assign(weight=torch.tensor([[1.0, 1.0, 0.0, 0.0, 0.0]]))
        >>> multiply.assign(weight=torch.tensor([[0.0, 0.0, 1.0, 1.0, 0.0]]))
        >>> with torch.no_grad():
        ...     _ = selector.module_logits.copy_(torch.tensor([[[1.0, 0.0]], [[0.0, 1.0]]]))
        >>> [step.expressions for step in selector.steps(sympy.symbols("a b c"))]
        [[a + b], [c*(a + b)]]
        >>> selector.eval()(torch.tensor([1.0, 2.0, 4.0])).tolist()
        [12.0]
    """

    def __init__(
        self,
        in_features: int,
        out_features: int = 1,
        *,
        modules: tuple[Part, ...],
        shared: bool = True,
        **options: Any,
    ) -> None:
        super().__init__(in_features, out_features, len(modules), **options)
        if out_features != 1:
            raise ValueError(f"RecurrentSelector has one output, got out_features={out_features}")
        self.shared = shared
        self.units = nn.ModuleList(
            nn.ModuleList(build_part(part, self.slots, 1) for part in modules)
            for _ in range(1 if shared else self.timesteps)
        )
        self.reset_parameters()

    def at(self, timestep: int) -> list[Unit]:
        """The units of a timestep."""
        return [cast(Unit, unit) for unit in cast(nn.ModuleList, self.units[0 if self.shared else timestep])]

    def reset_parameters(self) -> None:
        super().reset_parameters()
        for units in self.units:
            for unit in cast(nn.ModuleList, units):
                cast(Unit, unit).reset_parameters()

    def forward(self, x: Tensor, noise: Tensor | None = None) -> Tensor:
        workspace = [*self.checked(x).unbind(-1)]
        for timestep in range(self.timesteps):
            # Slots first in memory: columns of a batch are read in one go.
            outputs = [
                unit(torch.stack([*workspace, *self._empty(unit, timestep, x)]).movedim(0, -1))
                for unit in self.at(timestep)
            ]
            workspace.append(self.select(outputs, timestep, noise)[..., 0])
        return workspace[-1].unsqueeze(-1)

    def _empty(self, unit: Unit, timestep: int, x: Tensor) -> list[Tensor]:
        """The slots still to be written: as they are, or as the unit cannot notice them."""
        value = (unit.neutral or 0.0) if self.visible else self.empty
        return [torch.full_like(x[..., 0], value)] * (self.timesteps - timestep)

    def line(
        self, timestep: int, output: int, symbols: Sequence[sympy.Expr], *, rounded: bool
    ) -> tuple[str, sympy.Expr]:
        import sympy

        unit = self.at(timestep)[self.selected()[timestep][output]]
        written = self.in_features + timestep
        if self.visible:
            hidden = sympy.Integer(int(unit.neutral or 0))
            symbols = [*symbols[:written], *[hidden] * (self.slots - written)]
        return unit.name, unit.expression(symbols, rounded=rounded)[output]
