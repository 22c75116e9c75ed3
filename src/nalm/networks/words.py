"""Networks that read words: [batch, length] places in a vocabulary to [batch, 1]."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from nalm.networks.block import Part
from nalm.networks.recurrent import LongShortTerm, layer
from nalm.units.additive import NAU
from nalm.units.multiplicative import NMU


class Embedding(nn.Module):
    """A row of numbers for every word, from places as floats; `nn.Embedding` as the engine compiles it.

    Args:
        words: how many there are.
        features: numbers per word.
        spread: standard deviation they start with.
    """

    def __init__(self, words: int, features: int, spread: float = 1.0) -> None:
        super().__init__()
        self.spread = spread
        self.weight = nn.Parameter(torch.empty(words, features))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Redraw all rows."""
        nn.init.normal_(self.weight, std=self.spread)

    def forward(self, x: Tensor) -> Tensor:
        """[...] to [..., features]."""
        places = torch.arange(len(self.weight), dtype=x.dtype)
        return (x.unsqueeze(-1) == places).to(self.weight.dtype) @ self.weight


class WordReader(nn.Module):
    """An LSTM reads words, a unit makes a number of its last state (Trask et al. 2018).

    Args:
        words: size of the vocabulary.
        output: the unit and its options, or `"linear"`.
        embedding: numbers per word.
        hidden: size of the LSTM's state.
        accumulates: whether the unit reads its own last output beside the state, at every word, as in the
            public code of 001; otherwise it reads the last state alone.
        scale: what its output is multiplied with: states are below 1, and an affine layer's weights would
            take longer to grow than everything else takes to be learnt.

    Example:
        >>> WordReader(32, output="linear")(torch.zeros(7, 5)).shape
        torch.Size([7, 1])
    """

    def __init__(
        self,
        words: int,
        *,
        output: Part | str,
        embedding: int = 8,
        hidden: int = 16,
        accumulates: bool = False,
        scale: float = 1.0,
    ) -> None:
        super().__init__()
        self.embedding = Embedding(words, embedding)
        self.cell = LongShortTerm(embedding, hidden)
        self.output = layer(output, hidden + accumulates, 1)
        self.hidden, self.accumulates, self.scale = hidden, accumulates, scale

    def forward(self, x: Tensor) -> Tensor:
        words = self.embedding(x)
        state = memory = words.new_zeros(len(x), self.hidden)
        total = words.new_zeros(len(x), 1)
        for word in words.unbind(dim=1):
            state, memory = self.cell(word, state, memory)
            if self.accumulates:
                total = self.output(torch.cat([state, total], dim=-1))
        result: Tensor = total if self.accumulates else self.output(state)
        return self.scale * result


class WordAccumulator(nn.Module):
    """Every word multiplies what has been read and adds to it: an NMU and a NAU instead of an LSTM.

    Formally, every word has three learnt numbers: m = sinh(v₁ + 1), which multiplies, a = sinh(v₂), which is
    added, and k = σ(v₃), which moves what has been read to the finished part f. Then

        p = NMU(c, m),   f ← f + k·p,   c ← NAU((1 − k)·p, a),   y = f + c

    "seven" can have a = 7, "hundred" m = 100, "thousand" m = 1000 and k = 1. sinh lets a parameter of 7 stand
    for a number above 500. A network chosen here, not a published one.

    Args:
        words: size of the vocabulary.
    """

    def __init__(self, words: int) -> None:
        super().__init__()
        self.embedding = Embedding(words, 3, spread=0.1)
        self.multiply = NMU(2, 1)
        self.add = NAU(2, 1)

    def forward(self, x: Tensor) -> Tensor:
        numbers = self.embedding(x)
        factors, terms, moves = (numbers[..., k : k + 1] for k in range(3))
        # A word that means nothing yet multiplies by about 1 and moves little.
        factors, terms, moves = (factors + 1).sinh(), terms.sinh(), (moves - 2).sigmoid()
        current = torch.zeros_like(factors[:, 0])
        finished = torch.zeros_like(current)
        for m, a, k in zip(factors.unbind(1), terms.unbind(1), moves.unbind(1), strict=True):
            product = self.multiply(torch.cat([current, m], dim=-1))
            finished = finished + k * product
            current = self.add(torch.cat([(1 - k) * product, a], dim=-1))
        return finished + current
