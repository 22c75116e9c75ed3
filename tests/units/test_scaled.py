"""The NMU on scaled features."""

import pytest
import torch

from nalm import ScaledNMU

FIXED = {  # 002 table 6.1, weights fixed to 1
    "input_scale": [0.784557, 0.669749],
    "input_offset": [1.09510, 0.994739],
    "weight": [[1.0, 1.0]],
    "output_scale": [0.939748],
    "output_offset": [1.46041e-8],
}
LEARNT = {  # 002 table 6.1, weights learnt
    "input_scale": [1.46126, 2.13898],
    "input_offset": [0.631827, 0.765059],
    "weight": [[0.415312, 0.293096]],
    "output_scale": [1.29786],
    "output_offset": [-1.29726e-8],
}


@pytest.mark.parametrize("weights", [FIXED, LEARNT], ids=["fixed", "learnt"])
def test_both_columns_of_table_6_1_multiply(weights: dict[str, list[float]]) -> None:
    unit = ScaledNMU(2, 1, centre=(2.15035, 5.67394), factor=(0.649115, 0.261765), target_factor=11.9184)
    unit.assign(**{name: torch.tensor(value) for name, value in weights.items()})
    x = torch.tensor([[1.0, 2.0], [3.0, 7.0], [-2.0, 4.0], [10.0, 10.0]])
    torch.testing.assert_close(unit(x)[:, 0], x.prod(dim=-1), rtol=1e-4, atol=1e-3)


def test_z_scores_have_nothing_to_learn_but_the_weights() -> None:
    unit = ScaledNMU(2, 1, centre=1.5, factor=2.0, target_centre=3.0, target_factor=4.0, learnt=False)
    assert [name for name, _ in unit.named_parameters()] == ["weight"]
    unit.assign(weight=torch.tensor([[1.0, 0.0]]))
    assert unit(torch.tensor([[2.0, 9.0]])).tolist() == [[(2.0 - 1.5) * 2 * 4 + 3]]


def test_scales_and_offsets_do_not_count_for_the_sparsity_error() -> None:
    unit = ScaledNMU(2, 1)
    unit.assign(weight=torch.tensor([[1.0, 0.0]]), input_offset=torch.tensor([0.4, 0.4]))
    assert unit.sparsity_error().item() == 0


def test_one_statistic_per_input() -> None:
    with pytest.raises(ValueError, match="centre needs one number or 2, got 3"):
        ScaledNMU(2, 1, centre=(1.0, 2.0, 3.0))
