"""R_z."""

import pytest
import torch
from torch import nn

from nalm import NAU, NMU, Stack, record_inputs, rz_penalty


def test_sum_of_both_forms_by_hand() -> None:
    stack = Stack(NAU(2, 2), NMU(2, 1)).double()
    nau, nmu = stack.layers
    nau.assign(weight=torch.tensor([[1.0, 0.0], [0.0, -0.5]]))
    nmu.assign(weight=torch.tensor([[0.25, 1.0]]))
    with record_inputs(stack) as inputs:
        stack(torch.tensor([[1.0, 2.0]], dtype=torch.float64))
        stack(torch.tensor([[3.0, 6.0]], dtype=torch.float64))
    # x̄ = (2, 4): mean(0·4, 1·16, 1·4, ½·16) = 7; then z̄ = (2, −2): mean(¾·(1 − 2)², 0·9) = 0.375
    assert rz_penalty(stack, inputs).item() == pytest.approx(7.375)


def test_gradient_reaches_the_network_before_the_unit() -> None:
    front = nn.Linear(3, 2)
    model = nn.Sequential(front, NMU(2, 1))
    with record_inputs(model) as inputs:
        model(torch.rand(4, 3))
    rz_penalty(model, inputs).backward()
    assert front.weight.grad is not None
    assert front.weight.grad.abs().sum() > 0


def test_batches_of_any_shape_count_by_rows() -> None:
    unit = NMU(2, 1)
    unit.assign(weight=torch.zeros(1, 2))
    with record_inputs(unit) as inputs:
        unit(torch.zeros(3, 1, 2))
        unit(torch.full((2,), 4.0))
    # mean over four rows: (1, 1)
    assert rz_penalty(unit, inputs).item() == 0.0


def test_nothing_recorded_or_nothing_to_penalise() -> None:
    unit = NMU(2, 1)
    with pytest.raises(ValueError, match="inside `with record_inputs"):
        rz_penalty(unit, {})
    with pytest.raises(ValueError, match="no unit of the Linear"):
        rz_penalty(nn.Linear(2, 2), {})
