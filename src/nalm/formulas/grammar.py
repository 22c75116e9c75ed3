"""The language of formulas: numbers, names, + − × ÷, powers, brackets and the functions below; nothing else.

The grammar is data for lark's LALR parser, which needs no recursion. Python's own parser was the alternative:
it refuses columns called `lambda` or `class`, changes letters of names, reads no `×` and no quoted names, and
gives up on nested input in ways that differ from version to version.
"""

from __future__ import annotations

import math
from collections.abc import Callable

GRAMMAR = r"""
start: sum
?sum: product ((PLUS | MINUS) product)*
?product: signed ((TIMES | OVER) signed)*
?signed: power
    | MINUS signed -> negative
    | PLUS signed -> positive
?power: atom
    | atom POWER signed -> raised
?atom: NUMBER -> number
    | NAME -> name
    | QUOTED -> quoted
    | NAME "(" sum ("," sum)* ")" -> call
    | "(" sum ")" -> bracket

PLUS: "+"
MINUS: "-" | "−"
TIMES: "*" | "×" | "·" | "⋅"
OVER: "/" | "÷"
POWER.2: "**" | "^"
NUMBER: /([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?/
NAME: /[^\W0-9]\w*/
QUOTED: /`[^`]+`|'[^']+'|"[^"]+"/
WS: /\s+/
%ignore WS
"""

FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "Abs": abs,
}
"""Functions of one argument by sympy's name, with what they are in double precision."""

ALIASES = {"ln": "log", "abs": "Abs"}
"""Other spellings of functions."""

CONSTANTS = ("pi", "π")
"""Spellings of π. The letters e and E are names, for charge and energy; Euler's number is exp(1)."""
