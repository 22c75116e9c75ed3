"""What a run on a multi-step expression learnt: the formula of each step, read from the stored weights."""

from __future__ import annotations

import dataclasses
import functools
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
import sympy
import torch

from nalm.measuring.outcome import measure
from nalm.networks.block import Block, Step
from nalm.networks.model import units_in
from nalm.networks.stack import Stack
from nalm.report.restored import stored_rows
from nalm.report.results import Results, stored_curve
from nalm.store import Store
from nalm.studies.identities import seeds_by_identity
from nalm.studies.study import Cell
from nalm.tasks.composition import CompositionTask

LONGEST = 60
"""Characters of a formula that is still worth printing with unrounded numbers."""
POINTS = 20


@dataclass(frozen=True)
class Learnt:
    """One finished run.

    Attributes:
        cell: what was run.
        seed: of the run.
        correct: whether the model selected by validation error is correct, by name of the study's thresholds.
        final: whether the network after the last iteration is, by the study's last threshold.
        readout: whether its formula with rounded weights is the target; `None` where nothing is rounded.
        interpolation: its error on the training range.
        extrapolation: its error on the test range.
        steps: its formulas, layer by layer or line by line; empty where there are none.
    """

    cell: Cell
    seed: int
    correct: dict[str, bool]
    final: bool
    readout: bool | None
    interpolation: float
    extrapolation: float
    steps: list[Step]

    @property
    def scratchpad(self) -> bool | None:
        """Whether a line of working was read; `None` without a scratchpad."""
        used = [step.used_scratchpad for step in self.steps if step.used_scratchpad is not None]
        return any(used) if used else None


@functools.lru_cache(maxsize=1)
def learnt(results: Results, store: Store) -> tuple[Learnt, ...]:
    """Every finished run of the results; two tables of a study that ask one after the other share them."""
    wanted = seeds_by_identity(results.curves, results.budget, results.wanted)
    rows = {str(row.identity): row for row in stored_rows(store, set(wanted))}
    return tuple(
        _read(results, *places[-1], rows[identity]) for identity, places in wanted.items() if identity in rows
    )


def _read(results: Results, cell: Cell, seed: int, row: Any) -> Learnt:
    curve = stored_curve(row)
    limits = {name: results.study.limit(cell, name) for name, _ in results.study.thresholds}
    network = restored(cell, json.loads(row.weights))
    discrete = is_discrete(network)
    symbols = sympy.symbols(" ".join(_task(cell).symbols), positive=True)
    rounded = network.steps(symbols) if discrete else []
    return Learnt(
        cell=cell,
        seed=seed,
        correct={name: measure(curve, limit).success for name, limit in limits.items()},
        final=bool(curve.test[-1] < list(limits.values())[-1]),
        readout=is_target(rounded[-1].expressions[0], cell, symbols) if discrete else None,
        interpolation=float(curve.validation[-1]),
        extrapolation=float(curve.test[-1]),
        steps=rounded and best_printed(network, symbols, rounded),
    )


def _task(cell: Cell) -> CompositionTask:
    if not isinstance(cell.task, CompositionTask):
        raise TypeError(f"{cell.unit} on {cell.operation} has no steps to read")
    return cell.task


def restored(cell: Cell, weights: dict[str, Any]) -> Stack:
    """The network of a cell with stored weights."""
    network = cell.architecture.build().eval()
    state = {name: torch.tensor(value) for name, value in weights.items()}
    network.load_state_dict(state, strict=False)
    if not isinstance(network, Stack):
        raise TypeError(f"{cell.architecture} is no stack of units")
    return network


def is_discrete(network: Stack) -> bool:
    """Whether rounding weights makes a formula of the network: it chooses, or its weights are pulled."""
    return any(isinstance(layer, Block) for layer in network.layers) or any(
        weight.values for _, unit in units_in(network) for weight in unit.declared.values()
    )


def is_target(formula: sympy.Expr, cell: Cell, symbols: Sequence[sympy.Symbol]) -> bool:
    """Whether a formula and the cell's expression agree on points of the test range."""
    x, y = _task(cell).sample(POINTS, seed=0, extrapolation=True)
    if formula.has(sympy.zoo, sympy.nan, sympy.oo):
        return False
    values = np.broadcast_to(sympy.lambdify(symbols, formula, "numpy")(*x.T), y.shape)
    return bool(np.allclose(values, y, rtol=1e-9, atol=0))


def best_printed(network: Stack, symbols: Sequence[sympy.Symbol], rounded: list[Step]) -> list[Step]:
    """The steps as they are where that is short, numbers in two digits; otherwise with rounded weights."""
    if not any(isinstance(layer, Block) for layer in network.layers):
        return rounded
    raw = [_tidied(step) for step in network.steps(symbols, rounded=False)]
    short = all(len(str(formula)) <= LONGEST for step in raw for formula in step.expressions[:1])
    return raw if short else rounded


def _tidied(step: Step) -> Step:
    own, full = ([tidy(formula) for formula in group] for group in (step.own, step.expressions))
    used = step.used_scratchpad
    if used is not None:
        # A weight of 10⁻⁴ reads its slot by the letter only.
        used = any(re.fullmatch(r"z\d+", str(symbol)) for formula in own for symbol in formula.free_symbols)
    return dataclasses.replace(step, own=own, expressions=full, used_scratchpad=used)


def tidy(formula: sympy.Expr, digits: int = 2) -> sympy.Expr:
    """The formula with its numbers in few digits; those near an integer become it.

    Example:
        >>> a, b = sympy.symbols("a b")
        >>> tidy(0.99996 * a - 0.5021 * b + 0.0001 * a * b)
        a - 0.5*b
    """

    def short(number: sympy.Float) -> sympy.Expr:
        value = round(float(number), digits)
        if not isfinite(value):  # larger than any double
            return number
        return sympy.Integer(int(value)) if value == int(value) else sympy.Float(str(value))

    return formula.xreplace({number: short(number) for number in formula.atoms(sympy.Float)})
