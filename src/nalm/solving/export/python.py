"""A formula as a Python module."""

from __future__ import annotations

import keyword
from collections.abc import Sequence
from typing import Any

import sympy
from sympy.printing.numpy import NumPyPrinter

from nalm.solving.export.names import Names

RESERVED = frozenset((*keyword.kwlist, *keyword.softkwlist, "numpy"))

MODULE = """{title}

import numpy


{comments}
def {name}({arguments}):
    return {code}
"""


class Printer(NumPyPrinter):
    """numpy's functions by their full names, and constants to the last digit."""

    def __init__(self) -> None:
        super().__init__({"fully_qualified_modules": True})

    def _print_Float(self, number: Any) -> str:
        return repr(float(number))


def to_python(expression: sympy.Expr, inputs: Sequence[str], target: str, title: str) -> str:
    """A module with one function, for numbers and numpy arrays alike.

    Example:
        >>> m, v = sympy.symbols("m v")
        >>> print(to_python(m * v**2 / 2, ["m", "v"], "energy", "kinetic energy"))
        'kinetic energy'
        <BLANKLINE>
        import numpy
        <BLANKLINE>
        <BLANKLINE>
        # energy = m*v**2/2
        def energy(m, v):
            return (1/2)*m*v**2
        <BLANKLINE>
    """
    names = Names(inputs, target, RESERVED)
    return MODULE.format(
        title=ascii(title),
        comments="\n".join(f"# {line}" for line in names.comments(expression)),
        name=names.target,
        arguments=", ".join(names.inputs),
        code=Printer().doprint(names.renamed(expression)),
    )
