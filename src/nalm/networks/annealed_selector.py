"""A recurrent input selector that gradient descent can train: soft annealed selection, many restarts at once.

The selector of 002 section 7.2.6 makes hard choices forward and pretends soft ones backward
(straight-through). Here choices are soft in both directions and harden as the temperature falls. Slots that
are not filled yet cannot be read, so no module divides by an empty one.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn.functional import one_hot

from nalm.networks.program import OPERATIONS, Line, Program

MODULES = len(OPERATIONS)
SMALLEST = 1e-6
"""|v| before its logarithm: an almost empty line must not divide."""
LARGEST = 20.0
"""|ln| of a product: a soft choice of many small divisors must not overflow."""


class AnnealedSelector(nn.Module):
    """Lines of working, each a soft choice among operations and slots; several restarts at once.

    Formally, for line t with slots v (the inputs, then lines 1 … t − 1), temperature τ, and module m one of
    add, sub, mul, div,

        p_im = softmax_m(A_ti / τ)       which module reads slot i
        q_m  = softmax_m(B_t / τ)        which module writes the line
        o_add = Σ p·v    o_sub = −Σ p·v    o_mul = Π |v|^p · cos(π·Σ p·[v < 0])    o_div = 1 / (the same)
        line_t = Σ_m q_m·o_m

    At τ → 0 this is the frozen selector of 002 section 7.2.6 with its deterministic choice of module, and its
    4160 distinct programs for two lines and four inputs. Restarts share nothing but the input: each is a
    selector of its own with logits drawn from N(0, 1).

    Weakness: trained on the last line's own error, most restarts end in local minima. Where the target is
    known, `last_line_losses`, which solves for one more line, has far fewer of them.

    Args:
        in_features: number of inputs.
        lines: lines of working; the last can serve as the output.
        restarts: selectors trained side by side.
        temperatures: τ at the start and at the end of `anneal`.
        generator: source of the first logits; torch's own by default.

    Attributes:
        shares: [restarts], how much of each restart's gradient reaches whatever made the input; see `weigh`.

    Example:
        >>> selector = AnnealedSelector(3, lines=2, restarts=5, generator=torch.Generator().manual_seed(0))
        >>> selector(torch.rand(7, 3)).shape
        torch.Size([5, 7, 5])
        >>> selector.imitate(0, Program(3, (Line("add", (0, 2)), Line("mul", (1, 3)))))
        >>> selector.programs()[0].expression(["a", "b", "c"])
        b*(a + c)
        >>> selector(torch.tensor([2.0, 5.0, 1.0]), hard=True)[0]
        tensor([ 2.0000,  5.0000,  1.0000,  3.0000, 15.0000])
    """

    shares: Tensor

    def __init__(
        self,
        in_features: int,
        lines: int,
        *,
        restarts: int = 64,
        temperatures: tuple[float, float] = (0.5, 0.1),
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        for label, size in (("in_features", in_features), ("lines", lines), ("restarts", restarts)):
            if size < 1:
                raise ValueError(f"AnnealedSelector: {label} must be at least 1, got {size}")
        if not all(temperature > 0 for temperature in temperatures):
            raise ValueError(f"AnnealedSelector: temperatures must be positive, got {temperatures}")
        self.in_features, self.lines, self.restarts = in_features, lines, restarts
        self.temperatures = temperatures
        self.temperature = temperatures[0]
        self.slot_logits = nn.Parameter(torch.empty(restarts, lines, in_features + lines - 1, MODULES))
        self.module_logits = nn.Parameter(torch.empty(restarts, lines, MODULES))
        self.register_buffer("shares", torch.full((restarts,), 1 / restarts))
        self.reset_parameters(generator)

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw all logits from N(0, 1) and give every restart the same share."""
        with torch.no_grad():
            for logits in (self.slot_logits, self.module_logits):
                logits.copy_(torch.randn(logits.shape, generator=generator))
        self.shares = torch.full_like(self.shares, 1 / self.restarts)

    def anneal(self, progress: float) -> None:
        """Set the temperature for a share of the training in [0, 1]: geometric from the first to the last."""
        start, end = self.temperatures
        self.temperature = start * (end / start) ** progress

    def weigh(self, losses: Tensor) -> None:
        """Let restarts with small losses teach what made the input: shares are softmax(−losses)."""
        # A new tensor: the old one may still be part of a graph.
        self.shares = torch.softmax(-losses.detach(), dim=0)

    def forward(self, x: Tensor, *, hard: bool = False) -> Tensor:
        """Slots of all restarts: [..., in_features] to [restarts, ..., in_features + lines].

        Gradients of a sum over restarts reach x as the mean over restarts weighted by `shares`.

        Args:
            x: inputs.
            hard: choose as `programs` does, without temperature; gradients then reach x alone.
        """
        if x.shape[-1] != self.in_features:
            raise ValueError(
                f"AnnealedSelector: expected inputs [..., {self.in_features}], got {list(x.shape)}"
            )
        batch = x.shape[:-1]
        rows = x.reshape(-1, self.in_features)
        shares = self.shares.to(rows.dtype).reshape(-1, 1, 1)
        slots = rows.detach() + shares * (rows - rows.detach())
        read, write = self._hard() if hard else self._soft()
        for number in range(self.lines):
            visible = slots.shape[-1]
            line = _modules(slots, read[:, number, :visible].to(slots.dtype))
            line = (line @ write[:, number, :, None].to(slots.dtype)).squeeze(-1)
            slots = torch.cat([slots, line.unsqueeze(-1)], dim=-1)
        return slots.reshape(self.restarts, *batch, -1)

    def programs(self) -> list[Program]:
        """What each restart computes once every choice is made."""
        operations = self.module_logits.argmax(-1)
        chosen = self.slot_logits.argmax(-1) == operations.unsqueeze(-1)
        return [
            Program(
                self.in_features,
                tuple(
                    Line(OPERATIONS[op], tuple(row[: self.in_features + number].nonzero()[:, 0].tolist()))
                    for number, (op, row) in enumerate(zip(ops.tolist(), rows, strict=True))
                ),
            )
            for ops, rows in zip(operations, chosen, strict=True)
        ]

    def imitate(self, restart: int, program: Program, strength: float = 3.0) -> None:
        """Make one restart compute a program of as many lines, with logits of the given strength."""
        if program.inputs != self.in_features or len(program.lines) != self.lines:
            raise ValueError(
                f"AnnealedSelector: expected a program of {self.lines} lines on {self.in_features} inputs, "
                f"got {len(program.lines)} on {program.inputs}"
            )
        with torch.no_grad():
            self.slot_logits[restart] = 0.0
            self.module_logits[restart] = 0.0
            for number, line in enumerate(program.lines):
                operation = OPERATIONS.index(line.operation)
                self.module_logits[restart, number, operation] = strength
                # A slot that is not read goes to any other module.
                self.slot_logits[restart, number, :, operation] = -strength
                self.slot_logits[restart, number, list(line.slots), operation] = strength

    def _soft(self) -> tuple[Tensor, Tensor]:
        scaled = (logits / self.temperature for logits in (self.slot_logits, self.module_logits))
        read, write = (torch.softmax(logits, dim=-1) for logits in scaled)
        return read, write

    def _hard(self) -> tuple[Tensor, Tensor]:
        logits = (self.slot_logits, self.module_logits)
        read, write = (one_hot(values.argmax(-1), MODULES).to(values.dtype) for values in logits)
        return read, write


def _modules(slots: Tensor, read: Tensor) -> Tensor:
    """Outputs of the modules: slots [R, N, V] read with weights [R, V, modules] to [R, N, modules]."""
    sums = slots @ read[..., :2]
    size = slots.abs().clamp_min(SMALLEST).log() @ read[..., 2:]
    # The parity of negative factors, as the NPU has it: a half-chosen negative factor gives 0.
    sign = torch.cos(math.pi * ((slots < 0).to(slots.dtype) @ read[..., 2:]))
    signs = sums.new_tensor([1.0, -1.0])
    products = (size * signs).clamp(-LARGEST, LARGEST).exp() * sign
    return torch.cat([sums * signs, products], dim=-1)
