"""What every operation is in C: the table that the compiler knows PyTorch by.

To add an operation that works element by element, add a line to the table of its kind of numbers; `{0}`
and `{1}` stand for its arguments, which have that kind already. One that can be said in other operations
belongs into `rewrites`, one that moves numbers about into `lower`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from nalm.compiler.errors import Unsupported
from nalm.compiler.statements import REAL, TRUTH, WHOLE, Fold

COMPARISONS = {
    "eq": "({0} == {1})",
    "ne": "({0} != {1})",
    "lt": "({0} < {1})",
    "le": "({0} <= {1})",
    "gt": "({0} > {1})",
    "ge": "({0} >= {1})",
}
LOGIC = {
    "logical_and": "({0} & {1})",
    "logical_or": "({0} | {1})",
    "logical_xor": "({0} ^ {1})",
    "logical_not": "(~{0})",
}
REALS = {
    **COMPARISONS,
    "add": "({0} + {1})",
    "sub": "({0} - {1})",
    "rsub": "({1} - {0})",
    "mul": "({0} * {1})",
    "div": "({0} / {1})",
    "neg": "(-{0})",
    "abs": "v_abs({0})",
    "sign": "v_sign({0})",
    "sgn": "v_sign({0})",
    "reciprocal": "(SPLAT(1.0f) / {0})",
    "sqrt": "v_sqrt({0})",
    "rsqrt": "(SPLAT(1.0f) / v_sqrt({0}))",
    "exp": "v_exp({0})",
    "exp2": "v_exp2({0})",
    "expm1": "v_expm1({0})",
    "log": "v_log({0})",
    "log2": "v_log2({0})",
    "log10": "v_log10({0})",
    "log1p": "v_log1p({0})",
    "sin": "v_sin({0})",
    "cos": "v_cos({0})",
    "tan": "v_tan({0})",
    "atan": "v_atan({0})",
    "asin": "v_asin({0})",
    "acos": "v_acos({0})",
    "sinh": "v_sinh({0})",
    "cosh": "v_cosh({0})",
    "asinh": "v_asinh({0})",
    "tanh": "v_tanh({0})",
    "sigmoid": "v_sigmoid({0})",
    "erf": "v_erf({0})",
    "floor": "v_floor({0})",
    "ceil": "(-v_floor(-{0}))",
    "round": "v_round({0})",
    "trunc": "v_trunc({0})",
    "remainder": "v_remainder({0}, {1})",
    "relu": "v_max({0}, SPLAT(0.0f))",
    "minimum": "v_min({0}, {1})",
    "maximum": "v_max({0}, {1})",
    "where": "pick({0}, {1}, {2})",
    "masked_fill": "pick({1}, {2}, {0})",
    "clone": "{0}",
    "copy": "{1}",
    "isnan": "({0} != {0})",
    "isinf": "(v_abs({0}) == INFINITY)",
    "isfinite": "(v_abs({0}) < INFINITY)",
    "lerp": "({0} + {2} * ({1} - {0}))",
    "addcmul": "({0} + {1} * {2})",
    "sigmoid_backward": "({0} * (SPLAT(1.0f) - {1}) * {1})",
    "tanh_backward": "({0} * (SPLAT(1.0f) - {1} * {1}))",
    "threshold_backward": "pick({1} <= {2}, SPLAT(0.0f), {0})",
}
WHOLES = {
    **COMPARISONS,
    **{name: REALS[name] for name in ("add", "sub", "rsub", "mul", "neg", "clone", "copy")},
    "where": "pick_whole({0}, {1}, {2})",
    "masked_fill": "pick_whole({1}, {2}, {0})",
    "minimum": "pick_whole({0} < {1}, {0}, {1})",
    "maximum": "pick_whole({0} > {1}, {0}, {1})",
    "abs": "pick_whole({0} < 0, -{0}, {0})",
    "bitwise_and": "({0} & {1})",
    "bitwise_or": "({0} | {1})",
    "bitwise_xor": "({0} ^ {1})",
    "bitwise_not": "(~{0})",
}
TRUTHS = {
    **LOGIC,
    **{name.replace("logical", "bitwise"): code for name, code in LOGIC.items()},
    "eq": "(~({0} ^ {1}))",
    "ne": "({0} ^ {1})",
    "mul": "({0} & {1})",
    "minimum": "({0} & {1})",
    "maximum": "({0} | {1})",
    "where": "pick_whole({0}, {1}, {2})",
    "masked_fill": "pick_whole({1}, {2}, {0})",
    "clone": "{0}",
    "copy": "{1}",
}
POINTWISE = {REAL: REALS, WHOLE: WHOLES, TRUTH: TRUTHS}
CONDITION = {"where": 0, "masked_fill": 1}
"""The argument that is a truth value whatever the others are."""

CONVERSIONS = {
    (WHOLE, REAL): "v_real({0})",
    (TRUTH, REAL): "v_one_or_zero({0})",
    (TRUTH, WHOLE): "({0} & 1)",
    (REAL, WHOLE): "v_whole({0})",
    (REAL, TRUTH): "({0} != 0.0f)",
    (WHOLE, TRUTH): "({0} != 0)",
}

FOLDS = {
    (REAL, "sum"): Fold("sum", "SPLAT(0.0f)", "({0} + {1})".format),
    (REAL, "dot"): Fold("dot", "SPLAT(0.0f)", "fused({1}, {2}, {0})".format),
    (REAL, "prod"): Fold("prod", "SPLAT(1.0f)", "({0} * {1})".format),
    (REAL, "amax"): Fold("amax", "SPLAT(-INFINITY)", "v_max({0}, {1})".format),
    (REAL, "amin"): Fold("amin", "SPLAT(INFINITY)", "v_min({0}, {1})".format),
    (WHOLE, "sum"): Fold("sum", "SPLAT_WHOLE(0)", "({0} + {1})".format),
    (WHOLE, "amax"): Fold("amax", "SPLAT_WHOLE(-2147483647)", f"{WHOLES['maximum']}".format),
    (WHOLE, "amin"): Fold("amin", "SPLAT_WHOLE(2147483647)", f"{WHOLES['minimum']}".format),
    (TRUTH, "any"): Fold("any", "NEVER", "({0} | {1})".format),
    (TRUTH, "all"): Fold("all", "ALWAYS", "({0} & {1})".format),
}
"""How a dimension is folded away; a `dot` is a sum of products, each rounded once together with its sum."""


def literal(value: float, kind: str) -> str:
    """A number as C that has it in all lanes."""
    if kind == TRUTH:
        return "ALWAYS" if value else "NEVER"
    if kind == WHOLE:
        return f"SPLAT_WHOLE({saturated(value)})"
    return f"SPLAT({scalar(value)})"


def scalar(value: float) -> str:
    """A number as a float of C, exactly."""
    value = float(torch.tensor(float(value), dtype=torch.float32))
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return f"{value.hex()}f"


def saturated(value: float) -> int:
    """The nearest whole number of 32 bits, all that a lane holds."""
    return max(-(2**31) + 1, min(2**31 - 1, int(value)))


def pointwise(name: str, kind: str, args: list[Any], kwargs: dict[str, Any]) -> str:
    """C of an operation; arguments are C already, or numbers.

    Numbers stay as they are up to here because some exponents and bounds have simpler code.
    """
    special = SPECIAL.get(name)
    if special is not None:
        return special(kind, args, kwargs)
    table = POINTWISE[kind]
    if name not in table:
        raise Unsupported(f"{name} of {kind} numbers")
    return table[name].format(*(_text(a, kind) for a in args))


def _text(value: Any, kind: str) -> str:
    return value if isinstance(value, str) else literal(value, kind)


def _scaled(sign: str, reverse: bool = False) -> Callable[..., str]:
    def code(kind: str, args: list[Any], kwargs: dict[str, Any]) -> str:
        first, second = (_text(a, kind) for a in (reversed(args[:2]) if reverse else args[:2]))
        alpha = kwargs.get("alpha", args[2] if len(args) > 2 else 1)
        if alpha != 1:
            second = f"({literal(alpha, kind)} * {second})"
        return f"({first} {sign} {second})"

    return code


def _power(kind: str, args: list[Any], kwargs: dict[str, Any]) -> str:
    base, exponent = args
    if isinstance(base, str) and exponent in (0, 1, 2, 3):
        return literal(1, kind) if exponent == 0 else f"({' * '.join([base] * int(exponent))})"
    if kind != REAL:
        raise Unsupported(f"pow of {kind} numbers")
    if isinstance(base, str) and exponent in (0.5, -0.5, -1, -2):
        root = {0.5: "v_sqrt({0})", -0.5: REALS["rsqrt"], -1: REALS["reciprocal"]}
        return root.get(exponent, "(SPLAT(1.0f) / ({0} * {0}))").format(base)
    return f"v_pow({_text(base, kind)}, {_text(exponent, kind)})"


def _clamp(kind: str, args: list[Any], kwargs: dict[str, Any]) -> str:
    names = "value", "min", "max"
    found = [args[k] if k < len(args) else kwargs.get(name) for k, name in enumerate(names)]
    value, *bounds = (None if a is None else _text(a, kind) for a in found)
    for bound, choose in zip(bounds, ("maximum", "minimum"), strict=True):
        if bound is not None:
            value = POINTWISE[kind][choose].format(value, bound)
    return str(value)


def _divided(kind: str, args: list[Any], kwargs: dict[str, Any]) -> str:
    if kind != REAL:
        raise Unsupported(f"div of {kind} numbers")
    code = REALS["div"].format(*(_text(a, kind) for a in args[:2]))
    rounding = kwargs.get("rounding_mode")
    return code if rounding is None else f"v_{rounding}({code})"


SPECIAL: dict[str, Callable[[str, list[Any], dict[str, Any]], str]] = {
    "add": _scaled("+"),
    "sub": _scaled("-"),
    "rsub": _scaled("-", reverse=True),
    "pow": _power,
    "div": _divided,
    "clamp": _clamp,
    "clamp_min": _clamp,
    "clamp_max": lambda kind, args, kwargs: _clamp(kind, [args[0], None, *args[1:]], kwargs),
}
"""Operations whose code depends on numbers among their arguments."""

SUMS = {
    "sum": "sum",
    "mean": "sum",
    "amax": "amax",
    "amin": "amin",
    "prod": "prod",
    "any": "any",
    "all": "all",
}
"""Operations that fold dimensions, by their folds."""
MOVES = {
    "mm",
    "bmm",
    "cat",
    "stack",
    "index",
    "index_select",
    "select_backward",
    "slice_backward",
    "_to_copy",
    "fill",
    "zero",
}
"""Operations with a method of their own in `lower`."""
MADE = {
    "ones_like",
    "zeros_like",
    "full_like",
    "empty_like",
    "scalar_tensor",
    "new_ones",
    "new_zeros",
    "new_full",
    "new_empty",
    "new_empty_strided",
    "empty",
    "empty_strided",
    "full",
    "zeros",
    "ones",
    "arange",
    "eye",
    "linspace",
    "lift_fresh_copy",
}
"""Operations that make constants of nothing but sizes and numbers."""
KNOWN = {*REALS, *WHOLES, *TRUTHS, *SPECIAL, *SUMS, *MOVES, *MADE}
