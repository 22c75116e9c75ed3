"""Elementary functions a law may contain: of an argument, with a constant to be found, and of y itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy

from nalm.solving.numerics import Array

LARGEST_EXPONENT = 600.0
"""|b·v| beyond which exp(b·v) overflows."""
PERIODS = np.arange(1, 81) / 16
"""Periods over the range of an argument: up to five, as close as a search between two of them needs."""
LEAST_RANGE = 1 / 8
"""Of an argument, as a share of its largest value: in a narrower range waves cannot be told from lines."""
HALF_POWERS = np.arange(-6, 6) / 2
"""The powers that polynomials and roots have; laws have none beyond the third."""
RATE_GRID = np.geomspace(0.2, 30.0, 26)
"""Exponents over the range of an argument: less is nearly a line, more nearly a step; 22 % apart."""
BETWEEN_HALVES = np.array([0.02, 0.08, 0.16, 0.25, 0.34, 0.42, 0.48])
"""Parts of a power beyond a multiple of one half, which polynomials and roots have; closest near those."""


@dataclass(frozen=True)
class Family:
    """Columns made of one argument v and one constant b, such as cos(b·v) and sin(b·v).

    Attributes:
        names: what `functions=` calls its functions.
        columns: from b and v to one array per column.
        formulas: from b and an expression to one formula per column.
        grid: from v to the values of b that are tried, close enough for a search between them.
        plain: from v to the values of b that laws have most often, the most common first.
        trivial: multiples of this, if any, make it one of the powers that polynomials have anyway.
    """

    names: tuple[str, ...]
    columns: Callable[[float, Array], list[Array]]
    formulas: Callable[[Any, sympy.Expr], list[sympy.Expr]]
    grid: Callable[[Array], Array]
    plain: Callable[[Array], tuple[float, ...]]
    trivial: float | None = None

    def between(self, low: float, high: float) -> bool:
        """Whether no constant between two values makes the function one of the polynomials."""
        return self.trivial is None or np.floor(low / self.trivial) == np.floor(high / self.trivial)

    @property
    def everything(self) -> tuple[int, ...]:
        """The numbers of all columns."""
        return tuple(range(len(self.formulas(1, sympy.Symbol("v")))))


@dataclass(frozen=True)
class Link:
    """A function that y may be of the rest of the formula: y = outer(g), so that inner(y) = g.

    Attributes:
        name: what `functions=` calls it.
        inner: from y to g, the inverse.
        outer: from the formula of g to that of y.
        holds: whether y lies where the inverse is one.
    """

    name: str
    inner: Callable[[Array], Array]
    outer: Callable[[sympy.Expr], sympy.Expr]
    holds: Callable[[Array], bool]


def _periods(v: Array) -> Array:
    """Up to five periods over the range of v, in steps of a sixteenth."""
    return 2 * np.pi * PERIODS / max(float(np.ptp(v)), float(np.abs(v).max()) * LEAST_RANGE)


def _rates(v: Array) -> Array:
    """Changes by a factor of e⁰·² to e³⁰ over the range of v."""
    return RATE_GRID / float(np.ptp(v))


def _powers(v: Array) -> Array:
    """Powers between those that polynomials and roots have."""
    if not (v > 0).all():
        return np.empty(0)
    return (HALF_POWERS[:, None] + BETWEEN_HALVES).ravel()


def _clipped(exponent: Array) -> Array:
    return np.exp(np.clip(exponent, -LARGEST_EXPONENT, LARGEST_EXPONENT))


ANGLES = (1.0, 2.0, 0.5, 2 * np.pi, np.pi)
RATES = (1.0, 0.5, 2.0, 1 / (2 * np.pi), 2 * np.pi)
THIRDS = (1 / 3, 2 / 3, -1 / 3, -2 / 3, 4 / 3, -4 / 3)
"""Constants that laws have most often: in angles, in exponents, and as powers that are no halves."""


def _if_positive(values: tuple[float, ...]) -> Callable[[Array], tuple[float, ...]]:
    return lambda v: values if (v > 0).all() else ()


FAMILIES: tuple[Family, ...] = (
    Family(
        ("sin", "cos", "tan"),
        lambda b, v: [np.cos(b * v), np.sin(b * v)],
        lambda b, e: [sympy.cos(b * e), sympy.sin(b * e)],
        _periods,
        lambda v: ANGLES,
    ),
    Family(
        ("exp", "tanh"),
        lambda b, v: [_clipped(-b * v)],
        lambda b, e: [sympy.exp(-b * e)],
        _rates,
        lambda v: RATES,
    ),
    Family(
        ("log",),
        lambda b, v: [np.log(b * v)],
        lambda b, e: [sympy.log(b * e)],
        lambda v: np.empty(0),
        _if_positive((1.0,)),
    ),
    Family(
        ("log",),
        lambda b, v: [np.log(1 + b * v)],
        lambda b, e: [sympy.log(1 + b * e)],
        lambda v: _rates(v) if (v >= 0).all() else np.empty(0),
        _if_positive((1.0,)),
    ),
    Family(
        ("atan",), lambda b, v: [np.arctan(b * v)], lambda b, e: [sympy.atan(b * e)], _rates, lambda v: (1.0,)
    ),
    Family(("power",), lambda b, v: [v**b], lambda b, e: [e**b], _powers, _if_positive(THIRDS), trivial=0.5),
)

IDENTITY = Link("identity", lambda y: y, lambda g: g, lambda y: True)

LINKS: tuple[Link, ...] = (
    Link("power", np.square, sympy.sqrt, lambda y: bool((y > 0).all())),
    Link("exp", np.log, sympy.exp, lambda y: bool((y > 0).all())),
    Link("log", np.exp, sympy.log, lambda y: bool(np.abs(y).max() < LARGEST_EXPONENT / 10)),
    Link("asin", np.sin, sympy.asin, lambda y: bool(np.abs(y).max() <= np.pi / 2)),
    Link("acos", np.cos, sympy.acos, lambda y: bool(y.min() >= 0 and y.max() <= np.pi)),
    Link("atan", np.tan, sympy.atan, lambda y: bool(np.abs(y).max() < np.pi / 2)),
    Link("tanh", np.arctanh, sympy.tanh, lambda y: bool(np.abs(y).max() < 1)),
)

FUNCTIONS = tuple(
    dict.fromkeys([*(name for family in FAMILIES for name in family.names), *(link.name for link in LINKS)])
)
"""The names `functions=` takes."""

OWN_RATES = np.geomspace(0.1, 10.0, 25)
"""Constants that are tried inside a user's own function."""
OWN_STEP = 1e-6
"""Relative step of the derivative of a user's own function, which may not take complex numbers."""

OWN: dict[str, Callable[[Any], Any]] = {}
"""Functions of the user's own that formulas may contain, by name."""


def chosen_functions(
    functions: Sequence[str | Callable[[Any], Any]] | None,
) -> tuple[tuple[Family, ...], tuple[Link, ...]]:
    """The families and links that a choice of functions allows.

    Args:
        functions: names of `FUNCTIONS`, and your own functions, from arrays to arrays; all names by
            default. The functions of one family come together: sin, cos and tan; exp and tanh.

    Example:
        >>> families, links = chosen_functions(["exp", np.cbrt])
        >>> [family.names for family in families], [link.name for link in links]
        ([('exp', 'tanh'), ('cbrt',)], ['exp'])
    """
    if functions is None:
        return FAMILIES, LINKS
    if isinstance(functions, str) or not all(isinstance(f, str) or callable(f) for f in functions):
        raise ValueError(f"functions must be a list of names and functions, got {functions!r}")
    names = {function for function in functions if isinstance(function, str)}
    unknown = sorted(names - set(FUNCTIONS))
    if unknown:
        raise ValueError(
            f"functions has {', '.join(unknown)}; the names are {', '.join(FUNCTIONS)}, "
            "others are given as functions, such as scipy.special.erf"
        )
    families = [family for family in FAMILIES if names & set(family.names)]
    families += [_own_family(function) for function in functions if not isinstance(function, str)]
    return tuple(families), tuple(link for link in LINKS if link.name in names)


def _own_family(function: Callable[[Any], Any]) -> Family:
    """f(b·v) of a user's own function f."""
    name = getattr(function, "__name__", "")
    if not name.isidentifier() or name in FUNCTIONS:
        raise ValueError(
            f"your own function needs a name of its own, got {name or function!r}: define it with def"
        )

    def evaluate(v: Any) -> Any:
        v = np.asarray(v)
        if not np.iscomplexobj(v):
            return function(v)
        # Derivatives are taken by complex steps.
        real, step = v.real, OWN_STEP * np.maximum(np.abs(v.real), 1.0)
        return function(real) + 1j * v.imag * (function(real + step) - function(real - step)) / (2 * step)

    OWN[name] = evaluate
    symbol = sympy.Function(name)

    def rates(v: Array) -> Array:
        return OWN_RATES / max(float(np.abs(v).max()), float(np.ptp(v)))

    return Family(
        (name,),
        lambda b, v: [function(b * v)],
        lambda b, e: [symbol(b * e)],
        rates,
        lambda v: (1.0, 2.0, 0.5),
    )
