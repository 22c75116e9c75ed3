"""The formula a run ended with, from the weights that were kept of it."""

from __future__ import annotations

import functools
import json
from typing import Any

import sympy
import torch

from nalm.networks.model import units_in
from nalm.networks.stack import Stack
from nalm.report.learnt import tidy
from nalm.studies.study import Cell

LONGEST = 160
"""Characters of a formula that is worth a line."""
MOST, MOST_REAL = 10, 1
"""Different formulas that are read of a cell's runs, where all weights are discrete and where some are real:
then no two runs share a formula, and one takes a twentieth of a second."""


class Reader:
    """Reads the formulas of a cell's runs; equal rounded weights are read once.

    Args:
        cell: whose network it is.
    """

    def __init__(self, cell: Cell) -> None:
        network = cell.architecture.build().eval()
        self.network = network if isinstance(network, Stack) else None
        self.names = _names(cell.inputs)
        self._discrete = all(
            weight.values for _, unit in units_in(network) for weight in unit.declared.values()
        )
        self._left = MOST if self._discrete else MOST_REAL
        self._known: dict[str, str] = {}

    def formula(self, weights: str) -> str:
        """The formula with weights at their discrete values; empty if none can be read, or too many were."""
        if self.network is None or not (self._left or self._discrete):
            return ""
        stored: dict[str, Any] = json.loads(weights)
        if not stored:
            return ""
        expected = dict(self.network.named_parameters())
        if not expected.keys() <= stored.keys() or any(
            expected[name].shape != torch.tensor(stored[name]).shape for name in expected
        ):
            return ""  # a network of another shape: some weights were too many to keep
        state = {name: torch.tensor(value) for name, value in stored.items()}
        self.network.load_state_dict(state, strict=False)
        key = json.dumps(
            [
                [unit.rounded_weights()[name].tolist() for name in unit.declared]
                for _, unit in units_in(self.network)
            ]
        )
        if key not in self._known and self._left:
            self._left -= 1
            self._known[key] = self._read()
        return self._known.get(key, "")

    def _read(self) -> str:
        assert self.network is not None
        try:
            found = [str(tidy(formula)) for formula in self.network.expression(self.names)]
        except (ValueError, TypeError, NotImplementedError, OverflowError):
            return ""  # NaN weights of a run that diverged, or a unit that has no formula
        text = ", ".join(found)
        return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


@functools.cache
def _names(count: int) -> tuple[sympy.Symbol, ...]:
    letters = "abcdefgh"
    names = list(letters[:count]) if count <= len(letters) else [f"x{i + 1}" for i in range(count)]
    return tuple(sympy.Symbol(name) for name in names)
