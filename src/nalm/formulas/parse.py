"""Reading a formula."""

from __future__ import annotations

import functools
from collections.abc import Iterable

import sympy
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedToken, VisitError

from nalm.formulas.error import FormulaError
from nalm.formulas.grammar import GRAMMAR
from nalm.formulas.to_sympy import Builder

LENGTH = 4000
"""Characters of a formula at most; the longest law of physics we know of has 200."""


def parse_formula(text: str, names: Iterable[str | sympy.Symbol] | None = None) -> sympy.Expr:
    """The sympy expression of a formula; nothing in the text is ever run.

    A formula has numbers, names, `+ - * /` (or `− × ÷`), `**` or `^`, brackets, `pi`, and the functions sqrt,
    exp, log, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh and abs. Names with spaces or other characters
    are quoted: ``'mass (kg)'``. Length, nesting and numbers are bounded.

    Args:
        text: the formula.
        names: the names (or symbols) that may occur; any by default.

    Raises:
        FormulaError: what is wrong, and at which character.

    Example:
        >>> parse_formula("U^2 / R")
        U**2/R
        >>> parse_formula("'mass (kg)' * lambda", ["mass (kg)", "lambda"]).free_symbols == set(
        ...     map(sympy.Symbol, ["mass (kg)", "lambda"])
        ... )
        True
        >>> parse_formula("2 x")
        Traceback (most recent call last):
        ...
        nalm.formulas.error.FormulaError: cannot read the formula, character 3 (at 'x'): expected an operator
    """
    if not isinstance(text, str):
        raise TypeError(f"a formula is a string, got {type(text).__name__}")
    if len(text) > LENGTH:
        raise FormulaError(f"it has {len(text)} characters, more than {LENGTH}", text, LENGTH)
    symbols = None
    if names is not None:
        symbols = {str(n): n if isinstance(n, sympy.Symbol) else sympy.Symbol(n) for n in names}
    tree = parse_tree(text)
    try:
        return Builder(text, symbols).transform(tree)
    except VisitError as error:
        if isinstance(error.orig_exc, FormulaError):
            raise error.orig_exc from None
        raise


def parse_tree(text: str) -> Tree[Token]:
    """The parser's tree of a formula, its parts in order of precedence and with their positions.

    Raises:
        FormulaError: what is wrong, and at which character.
    """
    try:
        return _parser().parse(text)
    except UnexpectedCharacters as error:
        at = error.pos_in_stream or 0
        raise FormulaError(f"{text[at]!r} has no meaning in a formula", text, at) from None
    except UnexpectedToken as error:
        at = len(text.rstrip()) if error.token.type == "$END" else error.pos_in_stream or 0
        raise FormulaError(_expected(error.accepts or set()), text, at) from None


@functools.cache
def _parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", propagate_positions=True)


def _expected(kinds: set[str]) -> str:
    """What could have come instead, by the kinds of words the grammar accepts."""
    if "NUMBER" in kinds:
        return "expected a number, a name or '('"
    if "RPAR" in kinds:
        return "expected an operator or ')'"
    return "expected an operator"
