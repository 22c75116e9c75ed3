"""Units of measurement in a search."""

import numpy as np
import pandas as pd
import pytest
import sympy

from nalm import ArithmeticRegressor
from nalm.solving.formula.measurement_units import dimensions_of

RNG = np.random.default_rng(0)
DATA = pd.DataFrame(RNG.uniform(1, 5, (150, 4)), columns=["m", "v", "g", "h"])
UNITS = {"m": "kg", "v": "m/s", "g": "m/s**2", "h": "m", "target": "J"}
m, v, g, h = sympy.symbols("m v g h")


def test_text_and_exponents_agree() -> None:
    exponents = {
        "m": {"[mass]": 1},
        "v": {"[length]": 1, "[time]": -1},
        "g": {"[length]": 1, "[time]": -2},
        "h": {"[length]": 1},
        "target": {"[mass]": 1, "[length]": 2, "[time]": -2},
    }
    given, read = (dimensions_of(units, list(DATA)) for units in (exponents, UNITS))
    assert given.names == read.names == ("[length]", "[mass]", "[time]")
    np.testing.assert_array_equal(given.exponents, read.exponents)


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        (m * v**2 / 2 + m * g * h, None),
        (m * sympy.sqrt(v**4 + 2 * v**2 * g * h) * sympy.sin(g * h / v**2), None),
        (m * v, "the formula is in"),
        (m * v**2 * (1 + h), "different units"),
        (m * v**2 * sympy.exp(h), "exp is taken of something that has a unit"),
    ],
)
def test_units_of_formulas(expression, reason) -> None:
    found = dimensions_of(UNITS, list(DATA)).disagreement(expression, [m, v, g, h])
    assert (found is None) == (reason is None)
    assert reason is None or reason in found


def test_noisy_energy_is_found_in_its_units() -> None:
    noise = 1 + 0.03 * RNG.standard_normal(len(DATA))
    energy = (DATA.m * DATA.v**2 / 2 + DATA.m * DATA.g * DATA.h) * noise
    model = ArithmeticRegressor(random_state=0, units=UNITS, max_time=300).fit(DATA, energy)
    assert model.report_.units == "agree"
    assert "units agree" in str(model.report_)
    assert model.expression_.free_symbols == {m, v, g, h}


def test_constants_with_units_are_named_not_forbidden() -> None:
    weight = 9.81 * DATA.m
    units = {"m": "kg", "target": "N"}
    report = ArithmeticRegressor(random_state=0, units=units).fit(DATA[["m"]], weight).report_
    assert report.verified
    assert report.units.startswith("the formula is in [mass]")


@pytest.mark.parametrize(
    ("units", "message"),
    [
        ({"m": "kg"}, "units lacks v, g, h, target"),
        ({**UNITS, "x": "m"}, "x, which are no columns"),
        ({**UNITS, "m": "kilofoo"}, "'kilofoo' is no unit pint knows"),
    ],
)
def test_mistakes_are_named(units, message) -> None:
    with pytest.raises(ValueError, match=message):
        ArithmeticRegressor(units=units).fit(DATA, DATA.m)
