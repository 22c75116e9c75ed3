"""The formula a run ended with, from the weights that were kept of it, and those on its way there."""

from __future__ import annotations

import ast
import functools
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import sympy
import torch
from torch import Tensor

from nalm.networks.architecture import NetworkDescription
from nalm.networks.model import units_in
from nalm.networks.stack import Stack, UndefinedFormulaError
from nalm.report.learnt import tidy
from nalm.training.run import FOLLOWED, Curve

LONGEST = 160
"""Characters of a formula that is worth a line."""
MOST, MOST_REAL = 6, 1
"""Different formulas that are read of a cell's runs, where all weights are discrete and where some are real:
then no two runs share a formula, and one takes a twentieth of a second."""
MOST_NUMBERS = 24
"""Real weights of a network whose formula is read: with more of them it is longer than a line."""
PLACE = re.compile(rf"{FOLLOWED}(.+?)(\[[\d, ]*\])")
"""A column with a weight over training: the parameter's name, and which of its numbers."""


class Reader:
    """Reads the formulas of a network's runs; equal rounded weights are read once.

    Args:
        architecture: the network's.
        inputs: how many it has.
    """

    def __init__(self, architecture: NetworkDescription, inputs: int) -> None:
        network = architecture.build().eval()
        self.network: Stack | None = network if isinstance(network, Stack) else None
        self.names = _names(inputs)
        self._units = [unit for _, unit in units_in(network)]
        self._shapes = {name: parameter.shape for name, parameter in network.named_parameters()}
        self._discrete = all(weight.values for unit in self._units for weight in unit.declared.values())
        if not self._discrete and sum(shape.numel() for shape in self._shapes.values()) > MOST_NUMBERS:
            self.network = None
        self._known: dict[str, str] = {}

    def formulas(self, kept: Iterable[str]) -> list[str]:
        """The formulas of a cell's runs, with weights at their discrete values.

        One is empty if there is none, if its weights were not kept, or if so many were read already.
        """
        left = MOST if self._discrete else MOST_REAL
        found = []
        for weights in kept:
            # Real weights give every run a formula of its own: those beyond the first are not looked at.
            state = self._state(json.loads(weights)) if left or self._discrete else None
            formula, new = self._formula(state, left > 0) if state is not None else ("", False)
            left -= new
            found.append(formula)
        return found

    def on_the_way(self, curve: Curve, rows: Iterable[int]) -> list[tuple[int, str]]:
        """Row and formula where all weights were recorded during training; rows without one are left out."""
        columns = followed(curve, self._shapes)
        if columns is None:
            return []
        states = (
            (row, {name: torch.tensor(values[row]) for name, values in columns.items()}) for row in rows
        )
        found = [(row, self._formula(state, True)[0]) for row, state in states]
        return [(row, formula) for row, formula in found if formula]

    def _state(self, stored: dict[str, Any]) -> dict[str, Tensor] | None:
        """Stored weights as tensors; `None` if they are not all there: too many were not kept."""
        if self.network is None or not stored:
            return None
        state = {name: torch.tensor(value) for name, value in stored.items()}
        fits = all(name in state and state[name].shape == shape for name, shape in self._shapes.items())
        return state if fits else None

    def _formula(self, state: dict[str, Tensor], read: bool) -> tuple[str, bool]:
        """The formula, and whether it had not been read before."""
        diverged = not all(bool(weights.isfinite().all()) for weights in state.values())
        if self.network is None or diverged:
            return "", False
        self.network.load_state_dict(state, strict=False)
        rounded = [weight.tolist() for unit in self._units for weight in unit.rounded_weights().values()]
        key = json.dumps(rounded)
        new = key not in self._known and read
        if new:
            self._known[key] = self._read(self.network)
        return self._known.get(key, ""), new

    def _read(self, network: Stack) -> str:
        try:
            found = [str(tidy(formula)) for formula in network.expression(self.names)]
        except (NotImplementedError, UndefinedFormulaError):
            return ""  # a unit that has no formula, or weights that give none
        text = ", ".join(found)
        return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def followed(curve: Curve, shapes: Mapping[str, torch.Size]) -> dict[str, np.ndarray] | None:
    """The parameters by row, [rows, …], if every number of each was recorded during training."""
    columns = {name: np.full((len(curve.iterations), *shape), np.nan) for name, shape in shapes.items()}
    for column, values in curve.measures.items():
        place = PLACE.fullmatch(column)
        if place is not None and place[1] in columns:
            columns[place[1]][:, *ast.literal_eval(place[2])] = values
    whole = columns and not any(np.isnan(values[0]).any() for values in columns.values())
    return columns if whole else None


@functools.cache
def _names(count: int) -> tuple[sympy.Symbol, ...]:
    letters = "abcdefgh"
    names = list(letters[:count]) if count <= len(letters) else [f"x{i + 1}" for i in range(count)]
    return tuple(sympy.Symbol(name) for name in names)
