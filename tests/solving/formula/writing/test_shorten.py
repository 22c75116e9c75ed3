"""Short ways to write an expression."""

import numpy as np
import sympy

from nalm.solving.formula.writing.shorten import factored, length, shortest, values

a, b = sympy.symbols("a b", positive=True)
X = np.random.default_rng(0).uniform(1, 2, (50, 2))


def test_length_counts_what_is_read() -> None:
    assert length(a + b) == 3
    assert length(a) == 1


def test_common_factors_are_taken_out() -> None:
    assert shortest(a**2 / (a * b + a**2), X, [a, b]) == a / (a + b)


def test_equal_decimals_are_taken_out_together() -> None:
    shown = shortest(sympy.Float(9.81) * a**2 - sympy.Float(9.81) * a * b, X, [a, b])
    assert shown == 9.81 * a * (a - b)


def test_a_rewriting_that_is_wrong_for_negative_inputs_is_refused() -> None:
    # sqrt(a²) is a only for a > 0.
    x = np.array([[-1.0, 2.0], [3.0, 1.0]])
    root = sympy.sqrt(sympy.Symbol("s", positive=True) ** 2 + b, evaluate=False)
    expression = root.subs(sympy.Symbol("s", positive=True), a)
    np.testing.assert_allclose(
        values(shortest(expression, x, [a, b]), x, [a, b]), np.sqrt(x[:, 0] ** 2 + x[:, 1])
    )


def test_very_long_expressions_are_left_alone() -> None:
    long = sympy.Add(*((a + k) / (b + k) for k in range(100)))
    assert shortest(long, X, [a, b]) is long


def test_factored_works_inside_roots() -> None:
    assert factored(sympy.sqrt(a**2 + a * b)) == sympy.sqrt(a * (a + b))
