import pytest
import torch
from torch.autograd import gradcheck

from nalm.training.losses import LOSSES, mape, mse, pcc


def test_hand_computed_values():
    prediction, target = torch.tensor([1.0, 2.0, 6.0]), torch.tensor([1.0, 4.0, 4.0])
    assert mse(prediction, target).item() == pytest.approx(8 / 3)
    assert mape(prediction, target).item() == pytest.approx((0 + 0.5 + 0.5) / 3)
    # Deviations (−2, −1, 3) and (−2, 1, 1): covariance 6/3, variances 14/3 and 6/3.
    assert pcc(prediction, target).item() == pytest.approx(1 - 6 / (14 * 6) ** 0.5, abs=1e-6)


def test_pcc_ignores_scale_and_offset_and_survives_a_constant_prediction():
    target = torch.tensor([1.0, 2.0, 4.0])
    assert pcc(-2 * target + 3, target).item() == pytest.approx(2, abs=1e-5)
    constant = torch.ones(3, requires_grad=True)
    loss = pcc(constant, target)
    assert loss.item() == pytest.approx(1)
    loss.backward()
    # Deviations of the target (−4/3, −1/3, 5/3), variance 14/9; the prediction's variance is clamped to ε.
    eps = 2.0**-23
    slope = 1 / (3 * (eps**0.5 + eps) * ((14 / 9) ** 0.5 + eps))
    assert constant.grad.tolist() == pytest.approx([4 / 3 * slope, 1 / 3 * slope, -5 / 3 * slope], rel=1e-5)


@pytest.mark.parametrize("name", LOSSES)
def test_gradients(name):
    generator = torch.Generator().manual_seed(0)
    prediction = torch.rand(5, generator=generator, dtype=torch.float64, requires_grad=True)
    target = torch.rand(5, generator=generator, dtype=torch.float64) + 1
    assert gradcheck(lambda p: LOSSES[name](p, target), prediction)
