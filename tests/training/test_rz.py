"""R_z."""

import pytest
import torch
from torch import nn

from nalm import NAU, NMRU, NMU, NRU, SNMU, Stack, record_inputs, rz_penalty


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


def test_the_nmru_selects_from_inputs_and_reciprocals() -> None:
    unit = NMRU(2, 1).double()
    unit.assign(weight=torch.tensor([[1.0, 0.5, 0.0, 0.75]]))
    with record_inputs(unit) as inputs:
        unit(torch.tensor([[-2.0, 4.0], [-2.0, 2.0]], dtype=torch.float64))
    # Means of |z|: 2, 3, ½, (¼ + ½)/2; unselected shares 0, ½, 1, ¼.
    expected = (0 + 0.5 * (1 - 3) ** 2 + (1 - 0.5) ** 2 + 0.25 * (1 - 0.375) ** 2) / 4
    assert rz_penalty(unit, inputs).item() == pytest.approx(expected, rel=1e-6)


def test_the_nrus_inputs_are_pulled_to_zero_as_published() -> None:
    unit = NRU(2, 1)
    unit.assign(weight=torch.tensor([[-1.0, 0.5]]))
    with record_inputs(unit) as inputs:
        unit(torch.tensor([[7.0, 3.0]]))
    assert rz_penalty(unit, inputs).item() == pytest.approx(0.5 * 3**2 / 2)


def test_the_snmus_noise_is_part_of_what_it_reads_and_the_same_as_in_the_pass() -> None:
    unit = SNMU(2, 1)
    unit.assign(weight=torch.zeros(1, 2))
    x = torch.tensor([[2.0, 3.0], [4.0, 5.0]])
    torch.manual_seed(1)
    noise = torch.rand(2, 2)
    plain = unit(x, noise=noise)
    torch.manual_seed(1)
    with record_inputs(unit) as inputs:
        recorded = unit(x)
    assert torch.equal(recorded, plain)
    noisy = (1 + 4 * noise) * x
    assert torch.allclose(inputs[""][0], noisy)
    assert rz_penalty(unit, inputs).item() == pytest.approx((1 - noisy.mean(0)).square().mean().item())
