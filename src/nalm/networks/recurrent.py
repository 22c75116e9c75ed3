"""Networks that read a sequence element by element: [batch, length, features] to [batch, 1]."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from nalm.networks.block import Part, find_layer
from nalm.networks.piecewise import Piecewise
from nalm.units.additive import NAU
from nalm.units.comparison import NSR


class _Running(nn.Module):
    """m₁ = p₁ and m_t = step(m_{t−1}, p_t).

    p_t is the element or, with several features, a NAU's sum of them.
    """

    def __init__(self, features: int) -> None:
        super().__init__()
        self.in_features = features
        self.message = NAU(features, 1) if features > 1 else nn.Identity()

    def step(self, pair: Tensor) -> Tensor:
        """What is kept of what was kept so far and the next number."""
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        kept, *others = self.message(x).unbind(dim=-2)
        for number in others:
            kept = self.step(torch.cat([kept, number], dim=-1))
        return kept


class RunningChoice(_Running):
    """Keeps one of two numbers at every element: what an NSR that compares them lets through.

    Formally, m₁ = p₁ and m_t = Piecewise(m_{t−1}, p_t), where p_t is the element, or, with several features,
    a NAU's sum of them. It can learn the minimum of a list, or a step of Bellman–Ford.

    Args:
        features: numbers per element.
        scale: λ of the NSR.
        redundancy: its operand pairs.
    """

    def __init__(self, features: int = 1, *, scale: float = 1.0, redundancy: int = 1) -> None:
        super().__init__(features)
        self.choose = Piecewise(2, scale=scale, redundancy=redundancy)

    def step(self, pair: Tensor) -> Tensor:
        return self.choose(pair)


class RunningSelection(_Running):
    """Keeps one of two numbers at every element, as it is: an NSR decides which.

    Formally, m₁ = p₁ and m_t = c·m_{t−1} + (1 − c)·p_t with c = NSR(m_{t−1}, p_t), where p_t is the element,
    or, with several features, a NAU's sum of them. Unlike in `RunningChoice`, nothing behind the NSR is
    learnt, so the recurrence can neither grow nor shrink what it keeps.

    Args:
        features: numbers per element.
        scale: λ of the NSR.
        redundancy: its operand pairs.
    """

    def __init__(self, features: int = 1, *, scale: float = 1.0, redundancy: int = 1) -> None:
        super().__init__(features)
        self.compare = NSR(2, 1, scale=scale, redundancy=redundancy)

    def step(self, pair: Tensor) -> Tensor:
        return (self.compare(pair) * pair).sum(dim=-1, keepdim=True)


class Counter(nn.Module):
    """Adds up what an NSR says of every element.

    Formally, n₀ = 0 and n_t = NAU(n_{t−1}, c_t, 1 − c_t), where c_t is the NSR's answer on the element.

    Args:
        features: numbers per element.
        scale: λ of the NSR.
        redundancy: its operand pairs.
    """

    def __init__(self, features: int = 2, *, scale: float = 1.0, redundancy: int = 1) -> None:
        super().__init__()
        self.in_features = features
        self.compare = NSR(features, 1, scale=scale, redundancy=redundancy)
        self.add = NAU(3, 1)

    def forward(self, x: Tensor) -> Tensor:
        total = torch.zeros_like(x[..., 0, :1])
        for answer in self.compare(x).unbind(dim=-2):
            total = self.add(torch.cat([total, answer], dim=-1))
        return total


class Accumulator(nn.Module):
    """A unit that reads every element together with its own last output, and one that reads the last state.

    Formally, h₀ is learnt, h_t = U₁(x_t, h_{t−1}) and y = U₂(h_T).

    Args:
        features: numbers per element.
        cell: U₁ as a unit and its options, or `"lstm"`, or `"rnn"` with a ReLU.
        output: U₂ likewise, or `"linear"`.
        hidden: size of h.
        outputs: size of y.
    """

    def __init__(
        self, features: int, *, cell: Part | str, output: Part | str, hidden: int = 2, outputs: int = 1
    ) -> None:
        super().__init__()
        self.in_features = features
        self.start = nn.Parameter(torch.zeros(hidden))
        self.cell = _cell(cell, features, hidden)
        self.output = layer(output, hidden, outputs)

    def forward(self, x: Tensor) -> Tensor:
        state = self.start.expand(*x.shape[:-2], -1)
        memory = torch.zeros_like(state)
        for element in x.unbind(dim=-2):
            if isinstance(self.cell, LongShortTerm):
                state, memory = self.cell(element, state, memory)
            else:
                state = self.cell(torch.cat([element, state], dim=-1))
        result: Tensor = self.output(state)
        return result


class LongShortTerm(nn.Module):
    """An LSTM's cell, of matrix products and elementwise functions only."""

    def __init__(self, features: int, hidden: int) -> None:
        super().__init__()
        self.gates = nn.Linear(features + hidden, 4 * hidden)

    def forward(self, x: Tensor, state: Tensor, memory: Tensor) -> tuple[Tensor, Tensor]:
        """The next state and memory."""
        write, forget, show, new = self.gates(torch.cat([x, state], dim=-1)).chunk(4, dim=-1)
        memory = forget.sigmoid() * memory + write.sigmoid() * new.tanh()
        return show.sigmoid() * memory.tanh(), memory


def _cell(part: Part | str, features: int, hidden: int) -> nn.Module:
    if part == "lstm":
        return LongShortTerm(features, hidden)
    if part == "rnn":
        return nn.Sequential(nn.Linear(features + hidden, hidden), nn.ReLU())
    return layer(part, features + hidden, hidden)


def layer(part: Part | str, in_features: int, out_features: int) -> nn.Module:
    """A unit with its options, or an affine layer for any string."""
    if isinstance(part, str):
        return nn.Linear(in_features, out_features)
    unit, options = part
    keywords: dict[str, Any] = dict(options)
    return find_layer(unit)(in_features, out_features, **keywords)
