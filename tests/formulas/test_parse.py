"""What a formula may say, and what is refused."""

import math

import pytest
import sympy
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nalm.formulas import FormulaError, parse_formula
from nalm.formulas.parse import LENGTH


@pytest.mark.parametrize(
    "text",
    [
        "a - b - c",
        "-a**2",
        "a/b/c",
        "a**b**c",
        "2**-1",
        "--a",
        "+a*-b",
        "1.5e-3*x + .5",
        "2*pi*sqrt(L/g)",
        "m/sqrt(1 - v**2/c**2)",
        "exp(-x**2/2) + log(y)*sin(z)",
        "Abs(b - 2*c)*tanh(a)",
        "(a + b)*(c - 1/2)/(a*c + 1)",
        "a + 2*3 + 4*a",
    ],
)
def test_reads_what_sympy_reads(text: str) -> None:
    assert parse_formula(text) == sympy.sympify(text)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a × b ÷ c − d", "a*b/c - d"),
        ("a^2", "a**2"),
        ("2·π·r", "2*pi*r"),
        ("ln(x) + abs(y)", "log(x) + Abs(y)"),
    ],
)
def test_other_spellings(text: str, plain: str) -> None:
    assert parse_formula(text) == sympy.sympify(plain)


def test_names_are_data() -> None:
    names = ["lambda", "E", "I", "mass (kg)", "a.b", "π", "日本"]
    text = "lambda + E + I + 'mass (kg)' + `a.b` + π + 日本"
    assert parse_formula(text, names) == sympy.Add(*map(sympy.Symbol, names))


def test_given_symbols_are_used() -> None:
    x = sympy.Symbol("x", positive=True)
    assert parse_formula("sqrt(x**2)", [x]) == x


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("a + * b", 4, "expected a number, a name or"),
        ("2x", 1, "expected an operator"),
        ("", 0, "expected a number"),
        ("(a + b", 6, r"operator or '\)'"),
        ("a b", 2, "operator"),
        ("a = b", 2, "'=' has no meaning"),
        ("f(x) + 1", 0, "'f' is not one of the functions sqrt, exp"),
        ("sin(a, b)", 0, "one argument, got 2"),
        ("9**9**9", 1, "exponent is beyond 1000"),
        ("(9*x)**387420489", 5, "exponent is beyond"),
        ("(1 + 1/10**9)**999", 13, "too many digits"),
        ("((sqrt(2)/3)**900)**900", 12, "too many digits"),
        ("1 + exp(exp(100.0))", 4, "too large"),
        ("exp(x/x*1e300*1e300)", 4, "too large"),
        ("1e-200*1e-200", 0, "too small"),
        ("1e400", 0, "outside the range"),
        ("a + 1e-400", 4, "outside the range"),
        ("9" * 400, 0, "outside the range"),
        ("1e200*x*1e200", 0, "too large"),
        ("1/(x - x)", 1, "division by zero"),
        ("0**-1", 1, "division by zero"),
        ("sqrt(-2)", 0, "not a real number"),
        ("(-8)**(1/3)", 4, "not a real number"),
        ("log(0)", 0, "not a real number"),
        ("(" * 300 + "x" + ")" * 300, None, "nested more than"),
        ("-" * 3000 + "x", None, "nested more than"),
        ("x**" * 1000 + "x", None, "nested more than"),
        ("x" * (LENGTH + 1), LENGTH, "more than 4000"),
    ],
)
def test_refused_with_the_place(text: str, position: int | None, problem: str) -> None:
    with pytest.raises(FormulaError, match=problem) as caught:
        parse_formula(text)
    if position is not None:
        assert caught.value.position == position
    assert "\n" not in str(caught.value)


def test_a_misspelt_name_is_guessed() -> None:
    with pytest.raises(FormulaError, match=r"unknown name 'sped'; did you mean 'speed'\?"):
        parse_formula("mass*sped", ["mass", "speed"])


def test_only_text_is_a_formula() -> None:
    with pytest.raises(TypeError, match="a formula is a string, got int"):
        parse_formula(3)  # type: ignore[arg-type]


@settings(deadline=None, max_examples=300)
@given(st.text(max_size=60) | st.text(alphabet="xy019.e+-*/^() ,'\"sqrtexp", max_size=80))
def test_any_text_is_a_formula_or_one_line(text: str) -> None:
    refused = None
    try:
        assert isinstance(parse_formula(text), sympy.Expr)
    except FormulaError as error:
        refused = error
    if refused is not None:
        assert len(str(refused).splitlines()) == 1
        assert 0 <= refused.position <= len(text)


constants = st.integers(0, 99).map(str) | st.floats(0.01, 100).map(lambda number: f"{number:.3f}")
formulas = st.recursive(
    constants | st.sampled_from("xyz"),
    lambda part: st.one_of(
        st.tuples(part, st.sampled_from(["+", "-", "*", "/", "**"]), part).map(
            lambda p: f"({p[0]}{p[1]}{p[2]})"
        ),
        # Not sin: of a number like 7¹⁸ the last digit decides, and Python rounds it otherwise than sympy.
        st.tuples(st.sampled_from(["tanh", "exp", "sqrt", "abs", "-"]), part).map(
            lambda p: f"{p[0]}({p[1]})"
        ),
    ),
    max_leaves=12,
)


def in_python(text: str, values: dict[str, float]) -> float | None:
    """What Python makes of it; None where it is undefined."""
    known = {"tanh": math.tanh, "exp": math.exp, "sqrt": math.sqrt, "abs": abs, "__builtins__": {}}
    try:
        result = eval(text, known, values)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return None if isinstance(result, complex) or not math.isfinite(result) else float(result)


@settings(deadline=None, max_examples=200)
@given(formulas)
@example("tanh((71**(54+0)))")
def test_formulas_mean_what_they_say(text: str) -> None:
    try:
        expression = parse_formula(text, ["x", "y", "z"])
    except FormulaError:
        return
    values = {"x": 1.25, "y": 0.5, "z": 2.0}
    expected = in_python(text, values)
    if expected is None or not 1e-6 < abs(expected) < 1e6:
        return
    # By Python's own functions: numpy's take no integer beyond 64 bits.
    found = sympy.lambdify(sympy.symbols("x y z"), expression, "math")(*values.values())
    assert float(found) == pytest.approx(expected, rel=1e-6)
