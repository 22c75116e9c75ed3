"""Formula → network → formula."""

from pathlib import Path

import numpy as np
import pytest
import sympy
import torch

from nalm.networks.from_expression import from_expression

FORMULAS = [
    "a + b - c",
    "a*b/c",
    "a/(b + c)",
    "m*v**2/2",
    "2*pi*sqrt(L/g)",
    "1/(1/a + 1/b) + 3",
    "(a + b)*(c - 1/2)/(a*c + 1)",
    "m/sqrt(1 - v**2/c**2)",
    "1.5*a**2.5 - 0.1*b",
    "a",
    "sqrt(a)",
    "1/a",
    "a + Abs(b - 2*c)",
    "exp(-a**2/2)/sqrt(2*pi)",
    "a*exp(-b*c/2) + log(b)",
    "asin(v*sin(a))",
    "a*(cos(b*c) + c*cos(b*c)**2)",
    "tanh(a/b) - atan(2*c) + acos(v)*tan(v)",
    "cosh(v)",
]


@pytest.mark.parametrize("text", FORMULAS)
def test_round_trip(text: str) -> None:
    formula = sympy.sympify(text)
    symbols = sorted(formula.free_symbols, key=str)
    network = from_expression(formula)
    (back,) = network.expression(symbols)
    positive = {s: sympy.Symbol(s.name, positive=True) for s in symbols}
    formula = formula.replace(sympy.cosh, lambda u: (sympy.exp(u) + sympy.exp(-u)) / 2)
    difference = sympy.nsimplify(back.xreplace(positive) - formula.xreplace(positive))
    assert sympy.simplify(difference) == 0
    # v < c, a + b ≠ 0 and so on: each column has its own interval.
    rng = np.random.default_rng(0)
    x = np.stack([rng.uniform(0.1, 0.4, 20) if s.name == "v" else rng.uniform(1, 2, 20) for s in symbols], 1)
    expected = sympy.lambdify(symbols, formula, "numpy")(*x.T)
    with torch.no_grad():
        value = network(torch.tensor(x))[:, 0]
    np.testing.assert_allclose(value, expected, rtol=3e-6, atol=1e-6)


def test_discrete_weights_where_the_formula_has_them() -> None:
    network = from_expression("(a + b)/(c - d)")
    assert network.layers[0].weight.tolist() == [[1, 1, 0, 0], [0, 0, 1, -1]]
    assert network.layers[1].weight.tolist() == [[1, -1]]


def test_functions_have_units_of_their_own() -> None:
    network = from_expression("I*exp(-t/R)", ["I", "t", "R"])
    assert [type(unit).__name__ for unit in network.layers] == ["NRU", "Exp", "NMU"]
    x = torch.tensor([[2.0, 3.0, 4.0]], dtype=torch.float64)
    assert network(x).item() == pytest.approx(2 * np.exp(-3 / 4), rel=1e-12)


def test_several_outputs_and_spare_inputs() -> None:
    network = from_expression(["a*b", "a + 2", "3"], ["a", "b", "spare"])
    x = torch.tensor([[2.0, 5.0, 100.0]], dtype=torch.float64)
    assert network(x).tolist() == [[10, 4, 3]]
    a, b = sympy.symbols("a b")
    assert network.expression(["a", "b", "spare"]) == [a * b, a + 2, 3]


def test_the_order_of_inputs_is_the_given_one() -> None:
    network = from_expression("a/b", ["b", "a"])
    assert network(torch.tensor([[2.0, 6.0]], dtype=torch.float64)).item() == 3


def test_single_precision() -> None:
    network = from_expression("a/3 + b", dtype=torch.float32)
    assert network(torch.tensor([[3.0, 1.0]])).dtype == torch.float32
    assert network.expression(["a", "b"]) == [sympy.sympify("a/3 + b")]


@pytest.mark.parametrize(
    ("expression", "symbols", "message"),
    [
        (sympy.gamma(sympy.Symbol("a")), None, "gamma is no sum, product, quotient or power"),
        ("a**b", None, "exponent that is no real number"),
        ("a + b", ["a"], "unknown name 'b'; there are a"),
        (sympy.sympify("a + b"), ["a"], "not inputs: b"),
        ("3", None, "at least one expression and one symbol"),
        ([], ["a"], "at least one expression and one symbol"),
        (sympy.sympify("a + I"), None, "not a real number"),
        ("9**9**9*a", None, "the exponent is beyond 1000"),
        ("a + * b", None, "character 5"),
    ],
)
def test_what_has_no_network(expression: str, symbols: list[str] | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_expression(expression, symbols)


@pytest.mark.parametrize(
    "payload",
    [
        "__import__('os').mkdir('owned')",
        "open('owned', 'w').close() or a",
        "[c for c in ().__class__.__base__.__subclasses__()]",
        "exec(compile('open(\\'owned\\',\\'w\\')','','exec'))",
    ],
)
def test_nothing_is_evaluated(payload: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="cannot read the formula, character"):
        from_expression(payload)
    assert not list(tmp_path.iterdir())


def test_an_object_is_not_read_through_its_text() -> None:
    class Sly:
        def __str__(self) -> str:
            return "a"

    with pytest.raises(sympy.SympifyError):
        from_expression([Sly()])
