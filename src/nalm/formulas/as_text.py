"""A formula as text that `parse_formula` reads again."""

from __future__ import annotations

import re

import sympy

WORD = re.compile(r"[^\W0-9]\w*")
"""Names that need no quotes."""
QUOTES = "'\"`"


def formula_text(expression: sympy.Expr) -> str:
    """The expression without zeros at the end of numbers; names that are no plain words are in quotes.

    Example:
        >>> formula_text(sympy.Symbol("U [V]") ** 2 / sympy.Symbol("R") * sympy.Float(0.5))
        "0.5*'U [V]'**2/R"
    """
    odd = [symbol for symbol in expression.free_symbols if not WORD.fullmatch(symbol.name)]
    quoted = {symbol: sympy.Symbol(_quoted(symbol.name)) for symbol in odd}
    return str(sympy.sstr(expression.xreplace(quoted), full_prec=False))


def _quoted(name: str) -> str:
    """The name in the first quotes that it does not have itself; as it is if it has all of them."""
    quote = next((quote for quote in QUOTES if quote not in name), "")
    return f"{quote}{name}{quote}"
