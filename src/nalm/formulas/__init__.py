"""Formulas from outside: text becomes sympy by a grammar of our own, and nothing is evaluated."""

from nalm.formulas.errors import FormulaError
from nalm.formulas.parse import parse_formula

__all__ = ["FormulaError", "parse_formula"]
