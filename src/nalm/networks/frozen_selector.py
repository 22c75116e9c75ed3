"""The recurrent input selector whose modules are fixed operations."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from nalm.networks.block import block
from nalm.networks.choosing import largest, st_softmax
from nalm.networks.selector import Selector
from nalm.networks.specialists import SPECIALISTS

if TYPE_CHECKING:
    import sympy


@block
class FrozenSelector(Selector):
    """Recurrent input selector with frozen modules (002 section 7.2.6).

    The modules add, subtract, multiply and divide all that they are given; a mask gives every slot of the
    workspace to exactly one module, anew at each timestep. Only masks and module selection are learnt.

    Formally, with the mask logits M̂ learnt, for timestep t, slot i and module m,

        M[t, i, :] = one-hot of max M̂[t, i, :], with the gradient of its softmax
        line_t = select_t(add(M[t, :, add], slots), …, div(M[t, :, div], slots)),   y = line_T

    where a slot that is not given to a module is the neutral element to it: 0 in sums, 1 in products.

    M̂ starts at 0, and at 1 for the slot that was written last (002 section 7.2.6). As all modules get the
    same 1, that start changes no softmax: at first every slot belongs to the first module. The softmax of
    the mask has no temperature. The thesis does not list the frozen modules; here they are a NAU with weights
    1, one with −1, an NMU with 1, and a Real NPU with −1, the gate of which is the mask.

    With several outputs there are as many selectors side by side that share nothing but the inputs: restarts
    in one batch, of which `keep` takes the best.

    Weaknesses: a line of 0, the sum of nothing, that is given to the division makes it 1/ε, and its
    straight-through gradient throws the logits far off, whether the division is selected or not.

    Args:
        in_features: number of inputs.
        out_features: how many selectors.
        modules: names of the operations, keys of `SPECIALISTS`.
        **options: those of `Selector`; with `selection="soft"` the masks are soft too, at its temperature.

    Example:
        >>> selector = FrozenSelector(3, visible=True).eval()
        >>> selector.choose([("add", (0, 1)), ("div", (2, 3))])
        >>> [step.expressions for step in selector.steps(sympy.symbols("a b c"))]
        [[a + b], [1/(c*(a + b))]]
        >>> round(selector(torch.tensor([1.0, 3.0, 0.5])).item(), 6)
        0.5
    """

    def __init__(
        self,
        in_features: int,
        out_features: int = 1,
        *,
        modules: tuple[str, ...] = tuple(SPECIALISTS),
        **options: Any,
    ) -> None:
        super().__init__(in_features, out_features, len(modules), **options)
        unknown = [name for name in modules if name not in SPECIALISTS]
        if unknown:
            raise ValueError(f"unknown modules {', '.join(unknown)}; there are {', '.join(SPECIALISTS)}")
        self.modules_used = [SPECIALISTS[name] for name in modules]
        self.mask_logits = nn.Parameter(torch.empty(self.timesteps, out_features, self.slots, len(modules)))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        super().reset_parameters()
        self.draw(self.mask_logits)
        with torch.no_grad():
            for timestep in range(1, self.timesteps):
                self.mask_logits[timestep, :, self.in_features + timestep - 1] += 1.0

    def mask(self, timestep: int) -> Tensor:
        """What each module is given at a timestep, [out_features, slots, modules]."""
        logits = self.mask_logits[timestep]
        if not self.training:
            return largest(logits)
        if self.selection == "soft":
            return torch.softmax(logits / self.temperature, dim=-1)
        return st_softmax(logits, 1.0)

    def written(self, timestep: int) -> int:
        """How many slots are read at a timestep."""
        return self.in_features + timestep if self.visible else self.slots

    def forward(self, x: Tensor, noise: Tensor | None = None) -> Tensor:
        workspace = [column.unsqueeze(-1) for column in self.checked(x).unbind(-1)]
        empty = torch.full_like(workspace[0], self.empty)
        for timestep in range(self.timesteps):
            count = self.written(timestep)
            slots = [*workspace, *[empty] * (count - len(workspace))]
            mask = self.mask(timestep)
            outputs = [
                module.apply(slots, [mask[:, slot, index] for slot in range(count)])
                for index, module in enumerate(self.modules_used)
            ]
            workspace.append(self.select(outputs, timestep, noise))
        return workspace[-1]

    def choices(self) -> list[list[tuple[str, tuple[int, ...]]]]:
        """For every timestep and output, the selected operation and the slots that it is given."""
        masks = self.mask_logits.argmax(dim=-1).tolist()
        return [
            [
                (
                    self.modules_used[module].name,
                    tuple(slot for slot in range(self.written(t)) if masks[t][output][slot] == module),
                )
                for output, module in enumerate(modules)
            ]
            for t, modules in enumerate(self.selected())
        ]

    @torch.no_grad()
    def choose(
        self, lines: Sequence[tuple[str, Sequence[int]]], output: int = 0, strength: float = 1.0
    ) -> None:
        """Set the logits of one output to lines of working: an operation and the slots it reads, for each.

        Slots that no line reads go to another module. There may be fewer lines than timesteps: then the first
        timesteps compute something that nothing reads.
        """
        names = [module.name for module in self.modules_used]
        idle = self.timesteps - len(lines)
        for timestep in range(self.timesteps):
            # Lines are counted from the first one given, slots from the first timestep.
            operation, read = lines[timestep - idle] if timestep >= idle else (names[0], ())
            chosen = {slot + idle if slot >= self.in_features else slot for slot in read}
            module = names.index(operation)
            other = (module + 1) % len(names)
            self.module_logits[timestep, output] = 0.0
            self.module_logits[timestep, output, module] = strength
            self.mask_logits[timestep, output] = 0.0
            for slot in range(self.slots):
                self.mask_logits[timestep, output, slot, module if slot in chosen else other] = strength

    @torch.no_grad()
    def keep(self, output: int) -> FrozenSelector:
        """One of the selectors alone."""
        kept = copy.deepcopy(self)
        kept.out_features = 1
        for name, parameter in self.named_parameters():
            setattr(kept, name, nn.Parameter(parameter[:, output : output + 1].clone()))
        return kept

    def line(
        self, timestep: int, output: int, symbols: Sequence[sympy.Expr], *, rounded: bool
    ) -> tuple[str, sympy.Expr]:
        name, slots = self.choices()[timestep][output]
        return name, SPECIALISTS[name].formula([symbols[slot] for slot in slots])
