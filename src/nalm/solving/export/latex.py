"""A formula as a LaTeX equation."""

from __future__ import annotations

import re
import unicodedata

import sympy

WORD = re.compile(r"[A-Za-z]+[0-9]*(_[A-Za-z0-9]+)*")
"""Names that are typeset as mathematics: letters, then a number, then subscripts."""

ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "-": "{-}",
}
"""Characters that mean something to TeX, or join into other characters."""


def to_latex(expression: sympy.Expr, target: str) -> str:
    """An equation, without delimiters.

    Letters, numbers and subscripts are typeset as mathematics, Greek ones included; any other name is text.

    Example:
        >>> print(to_latex(sympy.sqrt(sympy.Symbol("alpha")), "T_max"))
        T_{max} = \\sqrt{\\alpha}
        >>> print(to_latex(2 * sympy.Symbol("100 %"), "x"))
        x = 2 \\textrm{100 \\%}
    """
    return f"{latex_name(target)} = {latex_of(expression)}"


def latex_of(expression: sympy.Expr) -> str:
    """An expression, with names from outside as mathematics or as text."""
    symbols = {symbol: latex_name(symbol.name) for symbol in expression.free_symbols}
    return str(sympy.latex(expression, symbol_names=symbols))


def latex_name(name: str) -> str:
    """A name from outside, as mathematics or as text."""
    if WORD.fullmatch(name):
        return str(sympy.latex(sympy.Symbol(name)))
    return rf"\textrm{{{''.join(map(_character, name))}}}"


def _character(character: str) -> str:
    if unicodedata.category(character).startswith(("C", "Z")):
        return " "
    return ESCAPES.get(character, character)
