"""Every operation of the table against eager PyTorch."""

import math

import pytest
import torch

from nalm.compiler import Unsupported, operations
from nalm.compiler.statements import REAL, TRUTH, WHOLE

aten = torch.ops.aten

REAL_CASES = {
    "eq": lambda x, y: x.round() == y.round(),
    "ne": lambda x, y: x.round() != y.round(),
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > 0.5,
    "ge": lambda x, y: x >= 1,
    "add": lambda x, y: torch.add(x, y, alpha=0.3) + (x + y) + (2.5 + y),
    "sub": lambda x, y: torch.sub(x, y, alpha=3) - (x - 1),
    "rsub": lambda x, y: torch.rsub(x, y, alpha=2) + (1 - x),
    "mul": lambda x, y: x * y * 3,
    "div": lambda x, y: x / (y + 20) + torch.div(x, y + 20, rounding_mode="floor") + (1 / (y + 20)),
    "neg": lambda x, y: -x,
    "abs": lambda x, y: x.abs(),
    "sign": lambda x, y: x.sign(),
    "sgn": lambda x, y: x.sgn(),
    "reciprocal": lambda x, y: (x + 20).reciprocal(),
    "sqrt": lambda x, y: x.abs().sqrt(),
    "rsqrt": lambda x, y: (x.abs() + 1).rsqrt(),
    "square": lambda x, y: x.square(),
    "exp": lambda x, y: x.exp(),
    "exp2": lambda x, y: x.exp2(),
    "expm1": lambda x, y: x.expm1(),
    "log": lambda x, y: (x.abs() + 0.01).log(),
    "log2": lambda x, y: (x.abs() + 0.01).log2(),
    "log10": lambda x, y: (x.abs() + 0.01).log10(),
    "log1p": lambda x, y: x.abs().log1p(),
    "sin": lambda x, y: x.sin(),
    "cos": lambda x, y: x.cos(),
    "tan": lambda x, y: (0.3 * x).tan(),
    "atan": lambda x, y: x.atan(),
    "asin": lambda x, y: (x / 20).asin(),
    "acos": lambda x, y: (x / 20).acos(),
    "sinh": lambda x, y: x.sinh(),
    "cosh": lambda x, y: x.cosh(),
    "asinh": lambda x, y: x.asinh(),
    "tanh": lambda x, y: x.tanh(),
    "sigmoid": lambda x, y: x.sigmoid(),
    "erf": lambda x, y: x.erf(),
    "floor": lambda x, y: x.floor(),
    "ceil": lambda x, y: x.ceil(),
    "round": lambda x, y: x.round(),
    "trunc": lambda x, y: x.trunc(),
    "remainder": lambda x, y: torch.remainder(x, 0.75) + torch.remainder(x, -y.abs() - 0.5),
    "relu": lambda x, y: x.relu(),
    "minimum": lambda x, y: torch.minimum(x, y),
    "maximum": lambda x, y: torch.maximum(x, y),
    "where": lambda x, y: torch.where(x < y, x, 2.0) + torch.where(x < 0, 1.0, y),
    "masked_fill": lambda x, y: x.masked_fill(x < y, 7.0),
    "clone": lambda x, y: x.clone(),
    "copy": lambda x, y: torch.zeros_like(x).copy_(y),
    "isnan": lambda x, y: torch.isnan(x / x.round()),
    "isinf": lambda x, y: torch.isinf(x / y.round()),
    "isfinite": lambda x, y: torch.isfinite(x / y.round()),
    "lerp": lambda x, y: torch.lerp(x, y, 0.3) + torch.lerp(x, y, x),
    "addcmul": lambda x, y: torch.addcmul(x, x, y),
    "sigmoid_backward": lambda x, y: aten.sigmoid_backward(x, y),
    "tanh_backward": lambda x, y: aten.tanh_backward(x, y),
    "threshold_backward": lambda x, y: aten.threshold_backward(x, y, 0.1),
    "pow": lambda x, y: (
        sum(x.abs() ** e for e in (0, 1, 2, 3, 0.5, 1.7))
        + (x.abs() + 1) ** y
        + 2.0**y
        + x**3.0
        + (x + 20) ** -1.5
    ),
    "clamp": lambda x, y: x.clamp(-1, 1) + x.clamp(max=0.5) + torch.clamp(x, y, y + 1),
    "clamp_min": lambda x, y: aten.clamp_min(x, 0.2),
    "clamp_max": lambda x, y: aten.clamp_max(x, 0.2),
}
WHOLE_CASES = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != 2,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= 1.5,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "add": lambda a, b: torch.add(a, b, alpha=2) + 3,
    "sub": lambda a, b: a - b,
    "rsub": lambda a, b: 7 - a,
    "mul": lambda a, b: a * b,
    "neg": lambda a, b: -a,
    "square": lambda a, b: a.square(),
    "clone": lambda a, b: a.clone(),
    "copy": lambda a, b: torch.zeros_like(a).copy_(b),
    "where": lambda a, b: torch.where(a > b, a, 5),
    "masked_fill": lambda a, b: a.masked_fill(a > b, -3),
    "minimum": lambda a, b: torch.minimum(a, b),
    "maximum": lambda a, b: torch.maximum(a, b),
    "abs": lambda a, b: a.abs(),
    "bitwise_and": lambda a, b: a & b,
    "bitwise_or": lambda a, b: a | b,
    "bitwise_xor": lambda a, b: a ^ b,
    "bitwise_not": lambda a, b: ~a,
    "clamp": lambda a, b: a.clamp(-1, 2),
}
TRUTH_CASES = {
    "logical_and": lambda p, q: torch.logical_and(p, q),
    "logical_or": lambda p, q: torch.logical_or(p, q),
    "logical_xor": lambda p, q: torch.logical_xor(p, q),
    "logical_not": lambda p, q: torch.logical_not(p),
    "bitwise_and": lambda p, q: p & q,
    "bitwise_or": lambda p, q: p | q,
    "bitwise_xor": lambda p, q: p ^ q,
    "bitwise_not": lambda p, q: ~p,
    "eq": lambda p, q: p == q,
    "ne": lambda p, q: p != q,
    "mul": lambda p, q: p * q,
    "minimum": lambda p, q: torch.minimum(p, q),
    "maximum": lambda p, q: torch.maximum(p, q),
    "where": lambda p, q: torch.where(p, q, False),
    "masked_fill": lambda p, q: p.masked_fill(q, True),
    "clone": lambda p, q: p.clone(),
    "copy": lambda p, q: torch.zeros_like(p).copy_(q),
}
INPUTS = {
    REAL: lambda: 3 * torch.randn(11, 3, 2),
    WHOLE: lambda: torch.randint(-4, 5, (11, 3, 2)),
    TRUTH: lambda: torch.rand(11, 3, 2) < 0.5,
}


@pytest.mark.parametrize(
    ("kind", "cases"),
    [(REAL, REAL_CASES), (WHOLE, WHOLE_CASES), (TRUTH, TRUTH_CASES)],
    ids=[REAL, WHOLE, TRUTH],
)
def test_every_operation_agrees_with_eager(kind: str, cases, assert_agrees) -> None:
    table = {*operations.POINTWISE[kind], *(operations.SPECIAL if kind == REAL else ())}
    assert table <= cases.keys(), "an operation of the table has no test"
    torch.manual_seed(0)
    inputs = {"x": INPUTS[kind](), "y": INPUTS[kind]()}
    assert_agrees(lambda given: {name: case(given["x"], given["y"]) for name, case in cases.items()}, inputs)


def test_kinds_are_converted(assert_agrees) -> None:
    torch.manual_seed(0)
    inputs = {"x": INPUTS[REAL](), "n": INPUTS[WHOLE](), "p": INPUTS[TRUTH]()}

    def function(given):
        x, n, p = given["x"], given["n"], given["p"]
        return {
            "product": x * n * p,
            "sum": n + p,
            "quotient": n / 3,
            "compared": (n < x) & (p == (x > 0)),
            "rounded": x.to(torch.int64),
            "truth": n.to(torch.bool) | x.bool(),
            "number": p.to(torch.float32) + p.to(torch.int64),
            "chosen": torch.where(p, x, n),
            "logical": torch.logical_and(x, n),
        }

    assert_agrees(function, inputs)


def test_numbers_are_exact_in_c() -> None:
    assert operations.scalar(0.1) == f"{float(torch.tensor(0.1)).hex()}f"
    assert operations.scalar(-math.inf) == "-INFINITY"
    assert operations.literal(math.nan, REAL) == "SPLAT(NAN)"
    assert operations.literal(2**40, WHOLE) == "SPLAT_WHOLE(2147483647)"


def test_an_operation_without_a_rule_names_itself(compiled) -> None:
    with pytest.raises(Unsupported, match="sort"):
        compiled(lambda given: {"y": given["x"].sort(0).values}, {"x": torch.rand(2, 3)})
