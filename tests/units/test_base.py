"""What follows from a unit's declarations."""

import pytest
import sympy
import torch

from nalm import BINARY, MCFC, NAU, NMU, TERNARY, NACAdd, Weight
from nalm.units.base import as_numbers, as_symbols, distance, nearest


def test_distance_and_nearest_by_hand() -> None:
    weight = torch.tensor([-1.2, -0.4, 0.1, 0.7])
    assert torch.allclose(distance(weight, TERNARY), torch.tensor([0.2, 0.4, 0.1, 0.3]))
    assert nearest(weight, TERNARY).tolist() == [-1.0, 0.0, 0.0, 1.0]
    assert nearest(weight, BINARY).tolist() == [0.0, 0.0, 0.0, 1.0]


def test_rounding_of_discrete_real_and_shared_weights() -> None:
    weight = torch.tensor([[0.5, 0.2], [0.4, 0.8]], requires_grad=True)
    assert Weight(BINARY).rounded(weight).tolist() == [[0.0, 0.0], [0.0, 1.0]]
    assert Weight().rounded(weight).tolist() == weight.tolist()
    assert Weight(BINARY, one_hot=0).rounded(weight).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert not Weight().rounded(weight).requires_grad


def test_penalty_is_the_mean_distance_per_weight() -> None:
    unit = NAU(2, 2)
    unit.assign(weight=torch.tensor([[0.25, -0.75], [1.0, 0.5]]))
    assert unit.penalties()["sparse"].item() == 0.25  # (¼ + ¼ + 0 + ½) / 4
    assert NACAdd(2, 1).penalties() == {}


def test_sparsity_error_is_the_worst_weight() -> None:
    unit = NAU(2, 1)
    unit.assign(weight=torch.tensor([[0.25, -0.9]]))
    assert unit.sparsity_error().item() == 0.25
    free = NAU(2, 1, projected=False, forward_clamp=False)
    free.assign(weight=torch.tensor([[1.5, 0.0]]))
    assert free.sparsity_error().item() == 0.5  # also beyond 1


@pytest.mark.parametrize(("kind", "below"), [(NAU, -1.25), (NMU, -0.25)])
def test_sparsity_error_is_that_of_the_clamped_weights_where_the_forward_pass_clamps(kind, below) -> None:
    unit = kind(2, 1, projected=False, forward_clamp=True)
    unit.assign(weight=torch.tensor([[1.3, below]]))
    assert unit.sparsity_error().item() == 0.0
    unit.assign(weight=torch.tensor([[0.8, 1.3]]))
    assert unit.sparsity_error().item() == pytest.approx(0.2)
    assert unit.penalties()["sparse"].item() == pytest.approx((0.2 + 0.3) / 2)  # of the weights as they are


def test_assigning_broadcasts_and_refuses_unknown_names() -> None:
    unit = NMU(3, 2)
    unit.assign(weight=torch.tensor([1.0, 0.0, 1.0]))
    assert unit.weight.tolist() == [[1.0, 0.0, 1.0]] * 2
    with pytest.raises(KeyError, match=r"NMU has no parameter 'wieght'; it has \['weight'\]"):
        unit.assign(wieght=torch.ones(2, 3))


def test_expression_takes_names_symbols_and_expressions() -> None:
    unit = NAU(2, 1)
    unit.assign(weight=torch.tensor([[1.0, -0.6]]))
    t = sympy.Symbol("t")
    assert unit.expression([t, sympy.sin(t)]) == [t - sympy.sin(t)]
    assert str(unit.expression()) == "[x1 - x2]"
    (raw,) = unit.expression(["a", "b"], rounded=False)
    assert str(raw).startswith("a - 0.6")
    with pytest.raises(ValueError, match="expected 2 symbols, one per input, got 3"):
        unit.expression(["a", "b", "c"])


def test_numbers_are_integers_where_weights_are() -> None:
    ((one, half),) = as_numbers(torch.tensor([[1.0, 0.5]]))
    assert isinstance(one, sympy.Integer)
    assert isinstance(half, sympy.Float)
    assert as_numbers(torch.tensor(float("inf"))) == sympy.oo


def test_names_become_the_symbols_sympy_makes_of_them() -> None:
    assert as_symbols(["a", "b"], 2) == list(sympy.symbols("a b"))


def test_input_errors_name_the_fix() -> None:
    unit = NMU(2, 1)
    with pytest.raises(TypeError, match=r"NMU needs a floating-point tensor, got torch.int64: .*x.float\(\)"):
        unit(torch.ones(3, 2, dtype=torch.int64))
    with pytest.raises(ValueError, match=r"expects inputs of shape \[..., 2\] \(in_features\), got \[3, 4\]"):
        unit(torch.ones(3, 4))
    with pytest.raises(TypeError, match=r"use x.to\(torch.float32\)"):
        unit(torch.ones(3, 2, dtype=torch.float64))
    with pytest.raises(ValueError, match="NMU: in_features must be a positive integer, got 0"):
        NMU(0, 1)


def test_units_compile_apart_from_each_other() -> None:
    # torch.compile counts recompilations per code object.
    codes = {unit.forward.__code__ for unit in (NAU, NMU, MCFC)}
    assert len(codes) == 3


@pytest.mark.parametrize("layout", [torch.sparse_coo, torch.sparse_csr])
def test_sparse_inputs_are_refused_with_the_way_out(layout: torch.layout) -> None:
    name = str(layout).removeprefix("torch.")
    with pytest.raises(TypeError, match=f"NAU needs a dense tensor, got a {name} one: .*to_dense"):
        NAU(2, 1)(torch.ones(3, 2).to_sparse(layout=layout))


def test_nested_inputs_are_refused() -> None:
    nested = torch.nested.nested_tensor([torch.ones(1, 2), torch.ones(3, 2)], layout=torch.jagged)
    with pytest.raises(TypeError, match="NMU needs a dense tensor, got a nested one"):
        NMU(2, 1)(nested)


def test_parameters_are_made_where_and_as_they_are_asked_for() -> None:
    unit = NMU(2, 1, device="meta", dtype=torch.float64, projected=False)
    assert (unit.weight.device.type, unit.weight.dtype) == ("meta", torch.float64)
    assert isinstance(unit.weight, torch.nn.Parameter)
    unit.to_empty(device="cpu").reset_parameters()
    assert ((unit.weight >= 0.25) & (unit.weight <= 0.75)).all()
    assert NMU(2, 1).weight.dtype == torch.get_default_dtype()


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(TypeError, match="NMU has no option 'projectd'"):
        NMU(2, 1, projectd=False)
