"""What is written can be read again."""

import pytest
import sympy

from nalm.formulas import parse_formula
from nalm.formulas.as_text import formula_text


@pytest.mark.parametrize("name", ["U", "U [V]", "R (Ohm)", "it's", 'a "b"', "x-1", "1st", "日本", "p/W"])
def test_a_name_comes_back(name: str) -> None:
    symbol, other = sympy.Symbol(name), sympy.Symbol("t")
    expression = 2.5 * symbol**2 / other + sympy.sqrt(symbol) - sympy.pi * other
    assert parse_formula(formula_text(expression), [name, "t"]) == expression


def test_plain_names_stay_plain() -> None:
    assert formula_text(sympy.Symbol("U_1") * sympy.Symbol("ρ")) == "U_1*ρ"
