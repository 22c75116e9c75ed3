import functools
import itertools

import pytest
import sympy
import torch

from nalm import NLRL
from nalm.units.logic import conjunction, disjunction

TABLE = torch.tensor(list(itertools.product([0.0, 1.0], repeat=2)))
SYMBOLS = sympy.symbols("a b")
FORMS = ["full", "conjunction", "disjunction"]


def rules(*rows, form="full"):
    """A unit from one (negation, weight, output) triple per output."""
    negation, weight, output = (torch.tensor(part) for part in zip(*rows, strict=True))
    unit = NLRL(negation.shape[1], len(rows), form=form)
    unit.assign(negation=negation, weight=weight, output=output)
    return unit


def truth(*units):
    """Outputs on the truth table of two inputs."""
    return functools.reduce(lambda x, unit: unit(x), units, TABLE).T.detach()


def same(found, *columns):
    torch.testing.assert_close(found, torch.tensor(columns).float(), atol=1e-5, rtol=0)


def test_and_or_not():
    unit = rules(
        ([0.0, 0.0], [1.0, 1.0], 0.0),
        ([0.0, 0.0], [1.0, 1.0], 1.0),
        ([1.0, 0.0], [1.0, 0.0], 0.0),
        ([0.0, 1.0], [1.0, 1.0], 0.0),
    )
    same(truth(unit), [0, 0, 0, 1], [0, 1, 1, 1], [1, 1, 0, 0], [0, 0, 1, 0])


def test_de_morgan_form():
    unit = rules(
        ([0.0, 0.0], [1.0, 1.0], 0.0),
        ([1.0, 1.0], [1.0, 1.0], 1.0),
        ([0.0, 0.0], [1.0, 1.0], 1.0),
        form="conjunction",
    )
    same(truth(unit), [0, 0, 0, 1], [0, 1, 1, 1], [1, 1, 1, 0])


def test_disjunctions_alone():
    unit = rules(
        ([0.0, 0.0], [1.0, 1.0], 0.0),
        ([1.0, 1.0], [1.0, 1.0], 1.0),
        ([0.0, 0.0], [1.0, 1.0], 1.0),
        ([0.0, 1.0], [0.0, 1.0], 0.0),
        form="disjunction",
    )
    same(truth(unit), [0, 1, 1, 1], [0, 0, 0, 1], [1, 0, 0, 0], [1, 0, 1, 0])


def test_gates_per_input_are_averaged():
    unit = NLRL(2, 3, output_gates="per input")
    assert unit.output.shape == (3, 2)
    unit.assign(negation=torch.zeros(3, 2), weight=torch.ones(3, 2))
    unit.assign(output=torch.tensor([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]))
    same(truth(unit), [0, 0, 0, 1], [0, 1, 1, 1], [0, 0.5, 0.5, 1])
    both, either, mean = (sympy.expand(formula) for formula in unit.expression(SYMBOLS))
    a, b = SYMBOLS
    assert (both, either) == (a * b, a + b - a * b)
    assert mean == sympy.expand((both + either) / 2)


def test_empty_rules():
    unit = rules(([0.0, 1.0], [0.0, 0.0], 0.0), ([0.0, 1.0], [0.0, 0.0], 1.0))
    same(truth(unit), [1, 1, 1, 1], [0, 0, 0, 0])


def test_two_layers_express_exclusive_or():
    minterms = rules(([0.0, 1.0], [1.0, 1.0], 0.0), ([1.0, 0.0], [1.0, 1.0], 0.0))
    same(truth(minterms, rules(([0.0, 0.0], [1.0, 1.0], 1.0))), [0, 1, 1, 0])
    minterms = rules(([0.0, 1.0], [1.0, 1.0], 0.0), ([1.0, 0.0], [1.0, 1.0], 0.0), form="conjunction")
    same(truth(minterms, rules(([1.0, 1.0], [1.0, 1.0], 1.0), form="conjunction")), [0, 1, 1, 0])


@pytest.mark.parametrize("target", list(itertools.product([0.0, 1.0], repeat=4)))
def test_two_layers_express_every_boolean_function(target):
    """In disjunctive normal form: one conjunction per row of the table, and those that are true in an OR."""
    minterms = rules(*(((1 - row).tolist(), [1.0, 1.0], 0.0) for row in TABLE))
    same(truth(minterms, rules(([0.0] * 4, list(target), 1.0))), list(target))


@pytest.mark.parametrize("inputs", [2, 3, 4])
def test_disjunction_is_the_kronecker_formula(inputs):
    """002 eq. 2.27: the entries of ⊗ [1, −t_i] ⊗ [−1, t_1], i = 2 … I, summed, plus 1."""
    torch.manual_seed(inputs)
    terms = torch.rand(inputs, dtype=torch.float64)
    one = torch.ones(1, dtype=torch.float64)
    vectors = [torch.cat([one, -t.unsqueeze(0)]) for t in terms[1:]]
    vectors.append(torch.cat([-one, terms[:1]]))
    expanded = functools.reduce(torch.kron, vectors)
    assert len(expanded) == 2**inputs
    torch.testing.assert_close(disjunction(terms), expanded.sum() + 1)


def test_between_discrete_weights():
    x = torch.tensor([0.5, 0.25])
    assert disjunction(x).item() == pytest.approx(1 - 0.5 * 0.75)
    assert conjunction(x, torch.tensor([1.0, 0.5])).item() == pytest.approx(0.25, rel=1e-5)
    unit = rules(([0.25, 0.0], [1.0, 1.0], 0.25))
    literal = 0.75 * 0.5 + 0.25 * 0.5
    both, either = literal * 0.25, 1 - (1 - literal) * 0.75
    assert unit(x).item() == pytest.approx(0.75 * both + 0.25 * either, rel=1e-5)
    negating = rules(([0.25, 0.0], [1.0, 1.0], 0.25), form="conjunction")
    assert negating(x).item() == pytest.approx(0.75 * both + 0.25 * (1 - both), rel=1e-5)


@pytest.mark.parametrize("form", FORMS)
def test_outputs_stay_between_false_and_true(form):
    torch.manual_seed(0)
    y = NLRL(6, 5, form=form)(torch.rand(100, 6))
    assert 0 <= y.min() < y.max() <= 1.00001


@pytest.mark.parametrize("form", FORMS)
def test_formula_is_the_forward_pass_at_every_discrete_setting(form, discrete_settings):
    unit = NLRL(2, 1, form=form).double()
    settings = discrete_settings(unit, *unit.declared)
    assert len(settings) == 32
    for setting in settings:
        unit.assign(**setting)
        function = sympy.lambdify(SYMBOLS, unit.expression(SYMBOLS))
        for x, y in zip(TABLE.tolist(), unit(TABLE.double()), strict=True):
            assert function(*x) == pytest.approx(y.tolist(), abs=1e-6)


@pytest.mark.parametrize("form", FORMS)
def test_formula_is_the_forward_pass_at_raw_weights(form):
    torch.manual_seed(1)
    unit = NLRL(2, 2, form=form).double()
    x = torch.rand(5, 2, dtype=torch.float64)
    function = sympy.lambdify(SYMBOLS, unit.expression(SYMBOLS, rounded=False))
    for row, y in zip(x.tolist(), unit(x), strict=True):
        assert function(*row) == pytest.approx(y.tolist(), rel=1e-5)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("x", [[[0.3, 0.8, 0.5]], [[0.0, 1.0, 0.0]]])
def test_gradients(form, x, gradients_agree):
    torch.manual_seed(1)
    gradients_agree(NLRL(3, 2, form=form).double(), torch.tensor(x).double())


def test_start():
    torch.manual_seed(0)
    unit = NLRL(4, 2)  # r = √(6 / 6) = 1
    assert all(0.5 < parameter.abs().max() <= 1 for parameter in (unit.negation_hat, unit.weight_hat))
    assert unit.output.shape == (2,)
    (term,) = unit.penalties().values()
    parts = (unit.negation, unit.weight, unit.output)
    expected = sum(torch.minimum(part, 1 - part).mean().item() for part in parts)
    assert term.item() == pytest.approx(expected)
    assert 0.2 < unit.sparsity_error() <= 0.5


def test_wrong_form_is_named():
    with pytest.raises(ValueError, match="form must be 'full' or 'conjunction' or 'disjunction'"):
        NLRL(2, 1, form="xor")
