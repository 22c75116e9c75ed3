import math

import pytest
import torch

from nalm.units.tanh_sigmoid import GOLDEN, hats, logits, tanh_sigmoid


def test_weight_of_known_parameters():
    weight = tanh_sigmoid(torch.tensor([0.0, math.atanh(0.5), -40.0]), torch.tensor([3.0, 0.0, 40.0]))
    assert weight.tolist() == pytest.approx([0.0, 0.25, -1.0])


def test_golden_base_follows_its_definition():
    w, m = (
        torch.tensor([0.3, -1.2, 2.5], dtype=torch.float64),
        torch.tensor([1.1, -0.4, 0.0], dtype=torch.float64),
    )
    tanh = (GOLDEN ** (2 * w) - 1) / (GOLDEN ** (2 * w) + 1)
    sigmoid = 1 / (1 + GOLDEN**-m)
    torch.testing.assert_close(tanh_sigmoid(w, m, GOLDEN), tanh * sigmoid)


def test_golden_base_in_closed_form():
    """φ² = φ + 1 makes tanh_φ(1) = 1/√5 and σ_φ(1) = 1/φ."""
    one = torch.ones(1, dtype=torch.float64)
    assert tanh_sigmoid(one, one, GOLDEN).item() == pytest.approx(1 / math.sqrt(5) / GOLDEN)


@pytest.mark.parametrize("base", [math.e, GOLDEN])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_hats_produce_discrete_weights_exactly_and_others_closely(base, dtype):
    target = torch.tensor([-1.0, 0.0, 1.0, 0.5, -0.125], dtype=dtype)
    found = hats({"weight": target, "other": torch.ones(2)}, "weight", base)
    weight = tanh_sigmoid(found["weight_hat"].to(dtype), found["mask_hat"].to(dtype), base)
    assert weight[:3].tolist() == target[:3].tolist()
    torch.testing.assert_close(weight, target)
    assert found["other"].tolist() == [1.0, 1.0]


def test_hats_leave_other_weights_alone():
    assert hats({"other": torch.ones(1)}, "weight").keys() == {"other"}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_logits_invert_the_sigmoid(dtype):
    target = torch.tensor([0.0, 0.25, 0.5, 1.0], dtype=dtype)
    torch.testing.assert_close(logits(target).to(dtype).sigmoid(), target, atol=1e-15, rtol=1e-6)
