"""What can be said of a unit without training it: its discrete weights and its number of parameters."""

from __future__ import annotations

import itertools

import numpy as np

from nalm.units.base import Unit

SIZES = (2, 3, 5)
"""Numbers of inputs and of outputs at which parameters are counted, to find the polynomial behind."""
MONOMIALS = {"I·O": (1, 1), "I²": (2, 0), "O²": (0, 2), "I": (1, 0), "O": (0, 1), "": (0, 0)}


def discrete_values(unit: Unit) -> str:
    """The sets of values the declared weights should reach; `real` where any number will do.

    Example:
        >>> from nalm import NAU, NALU
        >>> discrete_values(NAU(2, 1)), discrete_values(NALU(2, 1))
        ('{-1, 0, 1}', '{-1, 0, 1}, real')
    """
    sets = [
        "{" + ", ".join(f"{value:g}" for value in weight.values) + "}" if weight.values else "real"
        for weight in unit.declared.values()
    ]
    return ", ".join(sorted(dict.fromkeys(sets), key="real".__eq__)) or "real"


def parameter_count(unit: type[Unit]) -> str:
    """The number of parameters as a formula in the numbers of inputs I and outputs O.

    Example:
        >>> from nalm import NACAdd
        >>> parameter_count(NACAdd)
        '2·I·O'
    """
    pairs = list(itertools.product(SIZES, SIZES))
    counts = np.array([sum(p.numel() for p in unit(i, o).parameters()) for i, o in pairs], dtype=float)
    terms = np.array([[i**a * o**b for a, b in MONOMIALS.values()] for i, o in pairs], dtype=float)
    factors = np.linalg.lstsq(terms, counts, rcond=None)[0].round()
    if not np.array_equal(terms @ factors, counts):
        return "no polynomial of degree 2"
    parts = [
        f"{abs(factor):.0f}·{symbol}".removeprefix("1·").removesuffix("·")
        for factor, symbol in zip(factors, MONOMIALS, strict=True)
        if factor
    ]
    signs = ["−" if factor < 0 else "+" for factor in factors if factor]
    return " ".join(itertools.chain(*zip(signs, parts, strict=True))).removeprefix("+ ") or "0"
