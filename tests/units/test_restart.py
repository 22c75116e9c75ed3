import pytest
import torch

from nalm import Restart

RULE = Restart(window=4)


@pytest.mark.parametrize(
    ("losses", "due"),
    [
        ([2.0, 2.0, 2.0, 2.0, 2.0], True),
        ([2.0, 2.0, 2.0, 2.0], False),  # not more than the window
        ([9.0, 9.0, 2.0, 2.0, 2.0], False),  # improved
        ([0.9, 0.9, 0.9, 0.9, 0.9], False),  # good enough
        ([1.0, 1.0, 1.0, 1.0, 1.0], False),  # the threshold itself is good enough
        ([2.8, 2.8, 1.0, 3.0, 2.0], True),  # better than before, but by less than the sd, √⅔ = 0.816
        ([2.9, 2.9, 1.0, 3.0, 2.0], False),
        ([float("nan")] * 5, False),
    ],
)
def test_rule_by_hand(losses, due):
    assert RULE.due(torch.tensor(losses)).item() is due


def test_many_runs_at_once():
    losses = torch.tensor([[2.0] * 6, [0.5] * 6])
    assert RULE.due(losses).tolist() == [True, False]
    assert RULE.due(losses[:, :3]).tolist() == [False, False]
