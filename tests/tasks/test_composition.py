import numpy as np
import pytest
import sympy
import torch

from nalm.tasks import EXPRESSIONS, CompositionTask, Uniform, composition, expressions
from nalm.tasks.composition import CUMULATIVE

A, B, C = sympy.symbols("a b c")

TABLE = {
    "add-add": A + B + C,
    "add-sub": -A - B - C,
    "add-mul": (A + B) * C,
    "add-div": 1 / ((A + B) * C),
    "sub-add": -A - B + C,
    "sub-sub": A + B - C,
    "sub-mul": (-A - B) * C,
    "sub-div": 1 / ((-A - B) * C),
    "mul-add": A * B + C,
    "mul-sub": -A * B - C,
    "mul-mul": A * B * C,
    "mul-div": 1 / (A * B * C),
    "div-add": 1 / (A * B) + C,
    "div-sub": -1 / (A * B) - C,
    "div-mul": C / (A * B),
    "div-div": A * B / C,
}
"""002 table 7.1."""


def test_the_sixteen_expressions_are_those_of_the_table():
    assert tuple(TABLE) == EXPRESSIONS
    for name, printed in TABLE.items():
        assert sympy.simplify(composition(name).expression() - printed) == 0, name


@pytest.mark.parametrize("name", ["sub-div", "div-sub-mul", "mul-div-add-sub"])
def test_values_symbols_and_compiled_targets_agree(name):
    task = composition(name, inputs=7, test=Uniform(-3.0, -2.0))
    x, y = task.sample(20, seed=1, extrapolation=True)
    formula = sympy.lambdify(sympy.symbols(task.symbols), task.expression())
    np.testing.assert_allclose(y, formula(*x.T), rtol=1e-12)
    supplier = task.supplier(20)
    settings = {key: torch.tensor(value) for key, value in supplier.settings(task, 0).items()}
    targets = supplier.targets(torch.tensor(task.operands() @ x.T).unbind(0), settings)
    np.testing.assert_allclose(targets.numpy(), y, rtol=1e-12)
    assert x.shape == (20, 7)
    assert x.min() >= -3
    assert x.max() < -2


def test_positions_and_coefficients_say_what_is_read():
    task = CompositionTask(("mul", "sub"), inputs=5, positions=(4, 0, 2), coefficients=(2.0, 1.0, 0.5))
    assert task.targets(torch.tensor([3.0, 9.0, 8.0, 9.0, 5.0])).item() == -(2 * 5 * 3) - 4
    assert task.operands().tolist() == [[0, 0, 0, 0, 2], [1, 0, 0, 0, 0], [0, 0, 0.5, 0, 0]]


def test_runs_of_different_expressions_share_one_computation():
    tasks = [composition(name) for name in EXPRESSIONS]
    assert len({task.supplier(6) for task in tasks}) == 1
    u = torch.rand(4, 6, dtype=torch.float64)
    for task in tasks:
        supplier = task.supplier(6)
        settings = {key: torch.tensor(value) for key, value in supplier.settings(task, 0).items()}
        x, y = supplier.batch(settings, {"u": u})
        torch.testing.assert_close(x, 1 + u.mT)
        torch.testing.assert_close(y, task.targets(x)[:, 0])


def test_evaluation_sets_hold_the_expression_in_both_ranges():
    xv, yv, xt, yt = composition("div-mul").evaluation_sets()
    torch.testing.assert_close(yt[:, 0], xt[:, 2] / (xt[:, 0] * xt[:, 1]))
    assert yv.shape == (len(xv), 1)
    assert xv.max() < 2 <= xt.min()
    assert xt.shape[1] == 4


def test_names_count_and_round_trip():
    assert len(set(expressions(3))) == 64
    assert {composition(name).name for name in expressions(3)} == set(expressions(3))
    assert composition("add-add").divides is False
    assert composition("add-div").divides is True


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((),), "at least one operation"),
        ((("add", "pow"),), "unknown operation 'pow'"),
        ((("add", "add"), 2), "reads 3 of 2 inputs"),
    ],
)
def test_impossible_expressions_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        CompositionTask(*arguments)


def test_wrong_counts_are_refused():
    with pytest.raises(ValueError, match="2 operations read 3 inputs, got 2 positions"):
        CompositionTask(("add", "mul"), positions=(0, 1))
    with pytest.raises(ValueError, match="got 4 coefficients"):
        CompositionTask(("add", "mul"), coefficients=(1.0,) * 4)


def test_operations_cover_all_they_read():
    assert {name: operation.apply(2.0, 4.0) for name, operation in CUMULATIVE.items()} == {
        "add": 6.0,
        "sub": -6.0,
        "mul": 8.0,
        "div": 0.125,
    }
