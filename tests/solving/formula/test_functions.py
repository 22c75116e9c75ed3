"""Which functions a formula may contain."""

import pickle

import numpy as np
import pytest
import scipy.special
import sympy
from threadpoolctl import threadpool_limits

from nalm import ArithmeticRegressor
from nalm.solving.formula.functions import FAMILIES, FUNCTIONS, LINKS, chosen_functions

X = np.random.default_rng(0).uniform(0.5, 2, (200, 2))


def test_all_functions_by_default() -> None:
    assert chosen_functions(None) == (FAMILIES, LINKS)
    assert chosen_functions(FUNCTIONS) == (FAMILIES, LINKS)
    assert chosen_functions([]) == ((), ())


def test_what_is_not_allowed_is_not_found() -> None:
    y = np.exp(X[:, 0]) * X[:, 1]
    assert ArithmeticRegressor(random_state=0).fit(X, y).verified_
    narrow = ArithmeticRegressor(random_state=0, functions=[], max_time=2).fit(X, y)
    assert not narrow.verified_
    assert not narrow.expression_.has(sympy.exp)


def test_a_function_of_ones_own() -> None:
    model = ArithmeticRegressor(random_state=0, functions=[scipy.special.erf], max_time=300)
    model.fit(X, scipy.special.erf(X[:, 0]) * X[:, 1] + 2 * X[:, 1])
    assert model.verified_
    assert str(model.expression_) == "x2*(erf(x1) + 2)"
    again = pickle.loads(pickle.dumps(model))
    far = 2 * X
    np.testing.assert_allclose(again.predict(far), (scipy.special.erf(far[:, 0]) + 2) * far[:, 1])


@pytest.mark.parametrize(
    ("functions", "message"),
    [(["sine"], "sine; the names are"), ("sin", "must be a list"), ([lambda v: v], "name of its own")],
)
def test_mistakes_are_named(functions, message) -> None:
    with pytest.raises(ValueError, match=message):
        ArithmeticRegressor(functions=functions).fit(X, X[:, 0])


def test_the_same_formula_on_any_number_of_threads() -> None:
    y = X[:, 0] * X[:, 1] + 0.3 * X[:, 1] + 0.01 * np.random.default_rng(1).standard_normal(200)
    found = []
    for threads in (1, 2):
        with threadpool_limits(limits=threads):
            model = ArithmeticRegressor(random_state=0, functions=[], max_time=300)
            found.append(model.fit(X, y).expression_)
    assert found[0] == found[1]


def test_progress_is_told(capsys) -> None:
    ArithmeticRegressor(random_state=0, verbose=True).fit(X, X[:, 0] / X[:, 1])
    assert "monomial: verified" in capsys.readouterr().out
