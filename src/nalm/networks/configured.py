"""Units whose weights an LSTM sets afresh at every element of a sequence (Trask et al. 2018)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from nalm.networks.recurrent import LongShortTerm

EPSILON = 1e-7
"""Added to |x| before its logarithm is taken, as in the NALU."""


class Configured(nn.Module):
    """Registers that a NAC+ or a NALU rewrites at every token, with weights that an LSTM gives.

    Formally, the LSTM reads the token (its number divided by `scale`) and has state h; with v = (number,
    registers),

        W = tanh(A·h + a) ⊙ σ(B·h + b),   registers ← W·v

    and for the NALU g·(W·v) + (1 − g)·exp(W·log(|v| + ε)) with g = σ(G·h + c). The result is the first
    register. That an LSTM configures the unit, its sizes and what the LSTM reads are chosen here.

    An LSTM that reads numbers meets larger ones than it knows. With `compares` it reads, in their place, what
    an NSR's sign bit says of the number and each register, tanh(λ·(number − register)): numbers of any size
    look the same to it, and only the unit handles them.

    Args:
        features: numbers per element; the first is the number.
        multiplies: whether there is the NALU's second path.
        registers: how many.
        hidden: size of the LSTM's state.
        scale: what the LSTM's look at the number is divided by.
        compares: λ of the sign bits that the LSTM reads instead of the number, or `None`.

    Example:
        >>> Configured(8)(torch.zeros(5, 3, 8)).shape
        torch.Size([5, 1])
    """

    def __init__(
        self,
        features: int,
        *,
        multiplies: bool = False,
        registers: int = 3,
        hidden: int = 8,
        scale: float = 100.0,
        compares: float | None = None,
    ) -> None:
        super().__init__()
        self.registers, self.hidden, self.scale, self.compares = registers, hidden, scale, compares
        self.cell = LongShortTerm(features if compares is None else features - 1 + registers, hidden)
        size = registers * (registers + 1)
        self.weight_hat = nn.Linear(hidden, size)
        self.gate_hat = nn.Linear(hidden, size)
        self.mix = nn.Linear(hidden, registers) if multiplies else None

    def forward(self, x: Tensor) -> Tensor:
        state = memory = x.new_zeros(len(x), self.hidden)
        kept = x.new_zeros(len(x), self.registers)
        for element in x.unbind(dim=1):
            number, kind = element[:, :1], element[:, 1:]
            seen = number / self.scale
            if self.compares is not None:
                seen = (self.compares * (number - kept)).tanh()
            state, memory = self.cell(torch.cat([seen, kind], dim=-1), state, memory)
            weight = self.weight_hat(state).tanh() * self.gate_hat(state).sigmoid()
            weight = weight.unflatten(-1, (self.registers, self.registers + 1))
            read = torch.cat([number, kept], dim=-1).unsqueeze(-2)
            kept = (weight * read).sum(dim=-1)
            if self.mix is not None:
                gate = self.mix(state).sigmoid()
                product = (weight * (read.abs() + EPSILON).log()).sum(dim=-1).exp()
                kept = gate * kept + (1 - gate) * product
        return kept[:, :1]


class SequenceLSTM(nn.Module):
    """An LSTM over the elements and an affine layer on its last state: what units are compared with.

    Args:
        features: numbers per element; the first is a number, divided by `scale`.
        hidden: size of the state.
        scale: what the number is divided by, and the result multiplied with.
    """

    def __init__(self, features: int, *, hidden: int = 16, scale: float = 100.0) -> None:
        super().__init__()
        self.hidden, self.scale = hidden, scale
        self.cell = LongShortTerm(features, hidden)
        self.output = nn.Linear(hidden, 1)

    def forward(self, x: Tensor) -> Tensor:
        state = memory = x.new_zeros(len(x), self.hidden)
        for element in x.unbind(dim=1):
            seen = torch.cat([element[:, :1] / self.scale, element[:, 1:]], dim=-1)
            state, memory = self.cell(seen, state, memory)
        result: Tensor = self.output(state) * self.scale
        return result
