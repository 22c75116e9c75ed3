"""A sequence of digits: a CNN reads each, a recurrent cell accumulates (001 section 4.2, appendix D)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from nalm.networks.vision.digits import DigitRegressor
from nalm.networks.vision.heads import head
from nalm.units.baselines import LSTMUnit


class DigitSequence(nn.Module):
    """Pictures to what has been accumulated after each, and to the digits as they were read.

    Formally, with z_t read off the t-th picture,

        s_t = cell([z_t, s_{t−1}]),   s_0 = start

    Args:
        unit: the cell: a unit's name, `"LSTM"`, or `"solved mul"` and the like.
        options: of the unit.
        start: s_0. It is 1 for units that can only multiply, and 0 for all others in the published code, the
            NALU and the LSTM on products included (D25).

    Example:
        >>> network = DigitSequence("solved add").eval()
        >>> output = network(torch.zeros(5, 3, 28, 28, dtype=torch.uint8))
        >>> output.shape, torch.allclose(output[:, 2, 0], output[:, :, 1].sum(dim=1))
        (torch.Size([5, 3, 2]), True)
    """

    def __init__(self, unit: str, options: Sequence[tuple[str, Any]] = (), start: float = 0.0) -> None:
        super().__init__()
        self.front = DigitRegressor()
        # An LSTM carries its state beside its input, and has a second one.
        self.cell = LSTMUnit(1, 1) if unit == LSTMUnit.name else head(unit, options)
        self.start = start
        self._read_before: dict[int, Tensor] | None = None

    @contextmanager
    def reading_once(self) -> Iterator[None]:
        """Inside, pictures that lie in the same memory are read once, however they are cut into sequences."""
        self._read_before = {}
        try:
            yield
        finally:
            self._read_before = None

    def read(self, x: Tensor) -> Tensor:
        """The numbers read off the pictures: [samples, length, 28, 28] to [samples, length]."""
        pictures = x.flatten(0, 1)
        digits: Tensor = self.front(pictures) if self._read_before is None else self._remembered(pictures)
        return digits.view(x.shape[:2])

    def _remembered(self, pictures: Tensor) -> Tensor:
        """What was read off these places before, and what is read off those behind them now."""
        assert self._read_before is not None
        memory = pictures.untyped_storage().data_ptr()
        first = pictures.storage_offset() // pictures[0].numel()
        last = first + len(pictures)
        known = self._read_before.get(memory, pictures.new_empty(0, 1, dtype=torch.float32))
        if first > len(known):
            digits: Tensor = self.front(pictures)
            return digits
        if last > len(known):
            known = torch.cat([known, self.front(pictures[len(known) - first :])])
            self._read_before[memory] = known
        return known[first:last]

    def forward(self, x: Tensor) -> Tensor:
        """The state after each picture, and what was read off it: [samples, length, 2]."""
        digits = self.read(x)
        state = digits.new_full((len(x), 1), self.start)
        memory, states = torch.zeros_like(state), []
        for digit in digits.unsqueeze(-1).unbind(dim=1):
            if isinstance(self.cell, LSTMUnit):
                state, memory = self.cell.step(digit, state, memory)
            else:
                state = self.cell(torch.cat([digit, state], dim=-1))
            states.append(state)
        return torch.stack([torch.cat(states, dim=1), digits], dim=-1)
