"""Formulas from outside: text becomes sympy by a grammar of our own, and nothing is evaluated."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nalm.formulas.error import FormulaError
    from nalm.formulas.parse import parse_formula

__all__ = ["FormulaError", "parse_formula"]

HOMES = {"FormulaError": "error", "parse_formula": "parse"}
"""Where each name lives: the parser and sympy are imported when the first formula is read."""


def __getattr__(name: str) -> Any:
    if name in HOMES:
        return getattr(importlib.import_module(f"{__name__}.{HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
