"""Formulas of docstrings are typeset, and nothing else is."""

import inspect
from collections.abc import Callable
from types import ModuleType
from xml.etree import ElementTree

import pytest

from nalm.units import units

Load = Callable[[str], ModuleType]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("y_o = Σ_i W[o, i]·x_i", r"y_{o} = \sum_{i} W_{o,\,i}\cdot x_{i}"),
        ("W = tanh(Ŵ)·σ(M̂)", r"W = \tanh (\hat{W})\cdot \sigma (\hat{M})"),
        ("|x_i|^W[o, i] − 2^(a + b)", r"|x_{i}|^{W_{o,\,i}} - 2^{a + b}"),
        ("W_re[o, i]·ln r_i", r"W^{\mathrm{re}}_{o,\,i}\cdot \ln  r_{i}"),
        ("y = b¹_o + x_i² + f(x)_o", r"y = b^{1}_{o} + x^{2}_{i} + f(x)_{o}"),
        ("y = (a + 1) / (b − 1)", r"y = \frac{a + 1}{b - 1}"),
        ("Σ_{j < k} ½·λ", r"\sum_{j \lt  k} \tfrac{1}{2}\cdot \lambda "),
        ("k = π if x < 0 else 0", "k = \\pi  \\ \\text{if}\\  x \\lt  0 \\ \\text{else}\\  0"),
        ("y = x    as in the NAU", r"y = x \qquad \text{as in the NAU}"),
    ],
)
def test_translates(extension: Load, text: str, expected: str) -> None:
    assert extension("formulas").tex(text) == expected


def test_draws_one_line_each(extension: Load) -> None:
    drawn = ElementTree.fromstring(extension("formulas").mathml("    y = a·b,   z = 2\n    x = y^2\n"))
    assert [line.tag.rpartition("}")[2] for line in drawn] == ["math", "math"]
    assert "".join(drawn[1].itertext()) == "x=y2"


@pytest.mark.parametrize(
    "block",
    ["    a > b (1, −1)    a = b (0, 1)\n", "    pip install nalm\n", "    y = x^(2\n", "    y = @x\n"],
)
def test_leaves_the_rest(extension: Load, block: str) -> None:
    assert extension("formulas").mathml(block) is None


@pytest.mark.parametrize("unit", units().values(), ids=units())
def test_formulas_of_units_are_drawn(extension: Load, unit: type) -> None:
    formulas = extension("formulas")
    blocks = formulas.BLOCK.findall(inspect.getdoc(unit) or "")
    equations = [block for block in blocks if formulas.EQUATION.search(block)]
    assert [block for block in equations if formulas.mathml(block) is None] == []
    assert equations or unit.__name__ in ("NaiveNPU",), "a unit's docstring gives its formula"
