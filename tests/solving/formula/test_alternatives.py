"""The formulas beside the one that was chosen."""

import pickle

import numpy as np
import pytest

from nalm import ArithmeticRegressor
from nalm.solving.formula.alternatives import pareto

X = np.random.default_rng(0).uniform(1, 5, (300, 3))
NOISE = np.random.default_rng(1).standard_normal(300)
LAW = X[:, 0] * X[:, 1] + 0.3 * X[:, 2]


@pytest.fixture(scope="module")
def model() -> ArithmeticRegressor:
    return ArithmeticRegressor(random_state=0).fit(X, LAW + 0.01 * NOISE)


def test_pareto_front_by_hand() -> None:
    points = [(2, 3.0), (1, 9.0), (3, 3.0), (4, 1.0), (1, 8.0)]
    assert pareto(points, lambda p: p[0], lambda p: p[1]) == [(1, 8.0), (2, 3.0), (4, 1.0)]


def test_longer_formulas_have_smaller_errors(model) -> None:
    table = model.alternatives_
    assert len(table) >= 3
    assert table["complexity"].is_monotonic_increasing
    assert (np.diff(table["error"]) < 0).all()
    assert table["selected"].sum() == 1
    chosen = table[table["selected"]].iloc[0]
    assert chosen["formula"] == model.report_.formula
    assert chosen["verdict"] == model.report_.status.name
    assert chosen["error"] == pytest.approx(np.sqrt(np.mean((model.predict(X) - LAW - 0.01 * NOISE) ** 2)))


def test_another_formula_predicts_and_has_a_network(model) -> None:
    other = pickle.loads(pickle.dumps(model))
    other.select(1)
    line = other.alternatives_.iloc[1]
    assert line["selected"]
    assert other.report_.formula == line["formula"]
    assert other.expression_ == other.report_.expression
    error = np.sqrt(np.mean((other.predict(X) - LAW - 0.01 * NOISE) ** 2))
    assert error == pytest.approx(line["error"])
    assert other.network_.in_features == 3
    back = int(model.alternatives_.index[model.alternatives_["selected"]][0])
    assert other.select(back).expression_ == model.expression_


def test_outputs_have_tables_of_their_own() -> None:
    model = ArithmeticRegressor(random_state=0).fit(X, np.column_stack([LAW, X[:, 0] / X[:, 1]]))
    first, second = model.alternatives_
    assert first.iloc[-1]["verdict"] == second.iloc[-1]["verdict"] == "VERIFIED"
    kept = model.expression_[0]
    model.select(0, output=1)
    assert model.expression_[0] == kept
    assert not model.verified_
    assert model.alternatives_[1]["selected"].tolist()[0]


def test_lines_that_do_not_exist(model) -> None:
    with pytest.raises(ValueError, match="alternative 99 does not exist"):
        model.select(99)
    with pytest.raises(ValueError, match="output 1 does not exist"):
        model.select(0, output=1)
