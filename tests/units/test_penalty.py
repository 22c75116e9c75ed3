import pytest
import torch

from nalm.units.penalty import squared_pull


def test_squared_pull_by_hand():
    assert squared_pull(torch.tensor([0.0, 1.0, 0.5, 2.0])).item() == pytest.approx((0.0625 + 4.0) / 4)


@pytest.mark.parametrize(("value", "sign"), [(0.0, 0), (0.2, 1), (0.5, 0), (0.8, -1), (1.0, 0)])
def test_squared_pull_leads_to_the_nearer_end_and_is_flat_there(value, sign):
    magnitude = torch.tensor([value], requires_grad=True)
    squared_pull(magnitude).backward()
    assert magnitude.grad.sign().item() == sign
