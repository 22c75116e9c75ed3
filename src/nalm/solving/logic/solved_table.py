"""The Boolean function behind a truth table, and the NLRLs that compute it, without training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import sympy
import torch
from numpy.typing import ArrayLike
from sympy.logic import boolalg

from nalm.networks.stack import Stack
from nalm.solving.answer import Answer, Status
from nalm.solving.verify import decided
from nalm.units.base import as_symbols
from nalm.units.logic import NLRL

MOST_INPUTS = 8
"""Inputs that Quine and McCluskey's algorithm takes seconds for."""


@dataclass(frozen=True)
class SolvedTable(Answer):
    """A Boolean function found from its values.

    Attributes:
        formula: in sympy's logic, a shortest disjunction of conjunctions.
        network: two NLRLs with exact weights that compute it.
        status: verified if the network is right on every row given.
        complete: whether all combinations of the inputs were given; otherwise other functions fit too.
    """

    formula: boolalg.Boolean
    network: Stack
    status: Status
    complete: bool


def solve_truth_table(x: ArrayLike, y: ArrayLike, names: Sequence[str] | None = None) -> SolvedTable:
    """The shortest sum of products with these values, by Quine and McCluskey's algorithm.

    Args:
        x: rows of zeros and ones, [rows, inputs]; combinations that are missing may have any value.
        y: the function's values, [rows].
        names: of the inputs; x1, x2, … by default.

    Example:
        >>> rows = [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]]
        >>> found = solve_truth_table(rows, [0, 1, 1, 0, 0, 1, 1, 0], ["a", "b", "c"])
        >>> found.formula, found.verified
        ((a & ~b) | (b & ~a), True)
    """
    rows, values = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if rows.ndim != 2 or values.shape != (len(rows),):
        raise ValueError(
            f"expected x [rows, inputs] and y [rows], got {list(rows.shape)} and {list(values.shape)}"
        )
    if not np.isin(rows, (0, 1)).all() or not np.isin(values, (0, 1)).all():
        raise ValueError("a truth table has zeros and ones only")
    inputs = rows.shape[1]
    if inputs > MOST_INPUTS:
        raise ValueError(f"truth tables have up to {MOST_INPUTS} inputs, got {inputs}")
    known: dict[tuple[int, ...], bool] = {}
    for row, value in zip(rows.astype(int).tolist(), values.astype(bool).tolist(), strict=True):
        if known.setdefault(tuple(row), value) != value:
            raise ValueError(f"the row {row} has both values: no function gives them")
    symbols = as_symbols(names, inputs)
    every = [tuple(map(int, np.binary_repr(k, inputs))) for k in range(2**inputs)]
    open_rows = [list(row) for row in every if row not in known]
    formula = sympy.SOPform(symbols, [list(row) for row, value in known.items() if value], open_rows)
    network = logic_network(formula, symbols)
    with torch.no_grad():
        found = network(torch.tensor(rows, dtype=torch.float64)).round()[:, 0]
    status = decided(bool((found.numpy() == values).all()))
    return SolvedTable(formula, network, status, complete=not open_rows)


def logic_network(formula: boolalg.Boolean, symbols: Sequence[sympy.Symbol]) -> Stack:
    """Two NLRLs that compute a disjunction of conjunctions: a conjunction per unit, then their disjunction.

    Example:
        >>> a, b = sympy.symbols("a b")
        >>> logic_network(a & ~b, [a, b])(torch.tensor([1.0, 0.0], dtype=torch.float64)).round().item()
        1.0
    """
    terms = [] if formula == sympy.false else list(sympy.Or.make_args(formula))
    hidden = max(1, len(terms))
    weight, negation = torch.zeros(hidden, len(symbols)), torch.zeros(hidden, len(symbols))
    for unit, term in enumerate(terms):
        for literal in [] if term == sympy.true else sympy.And.make_args(term):
            negated = isinstance(literal, sympy.Not)
            place = list(symbols).index(literal.args[0] if negated else literal)
            weight[unit, place], negation[unit, place] = 1.0, float(negated)
    rules = NLRL(len(symbols), hidden, dtype=torch.float64)
    rules.assign(weight=weight, negation=negation, output=torch.zeros(hidden))
    either = NLRL(hidden, 1, dtype=torch.float64)
    # Without terms the function is false: a disjunction of nothing.
    either.assign(weight=torch.full((1, hidden), float(bool(terms))), negation=torch.zeros(1, hidden))
    either.assign(output=torch.ones(1))
    return Stack(rules, either)
