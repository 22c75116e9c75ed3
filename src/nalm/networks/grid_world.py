"""An agent in a small grid world, and how often it arrives in time: computed, not sampled."""

from __future__ import annotations

import functools

import torch
from torch import Tensor, nn

from nalm.networks.block import Part, build_part

SIZE = 5
FIELDS = SIZE * SIZE
MOVES = ((-1, 0), (1, 0), (0, -1), (0, 1), (0, 0))
"""Up, down, left, right, stay; a move off the grid stays."""
OFFSETS = 2 * SIZE - 1
"""How many rows or columns the target may be away, on either side."""
CLOCK = 10.0
"""What times are divided by before an affine layer reads them."""


def situations(target: Tensor, due: Tensor, horizon: int) -> Tensor:
    """What an agent sees on every field with 1 to `horizon` steps left.

    [episodes, horizon, fields, features]: how far the target is away, down and to the right, one of nine
    each; the time; and the time the agent is due.

    Args:
        target: fields to arrive at, [episodes].
        due: times of arrival, [episodes].
        horizon: the largest of the times.
    """
    fields = torch.arange(FIELDS, dtype=due.dtype)
    left = torch.arange(1, horizon + 1, dtype=due.dtype)
    shape = len(due), horizon, FIELDS
    row, column = (target / SIZE).floor(), target - SIZE * (target / SIZE).floor()
    own_row, own_column = (fields / SIZE).floor(), fields - SIZE * (fields / SIZE).floor()
    away = torch.arange(1 - SIZE, SIZE, dtype=due.dtype)
    offsets = [row[:, None] - own_row, column[:, None] - own_column]
    seen = [(offset.unsqueeze(-1) == away).to(due.dtype) for offset in offsets]
    places = torch.cat(seen, dim=-1).unsqueeze(1).expand(*shape, -1)
    now = (due[:, None] - left)[:, :, None, None].expand(*shape, 1)
    return torch.cat([places, now, due[:, None, None, None].expand(*shape, 1)], dim=-1)


@functools.cache
def transitions() -> Tensor:
    """Which field every action leads to from every field: [actions, from, to], of zeros and ones."""
    after = [
        [
            SIZE * min(max(field // SIZE + down, 0), SIZE - 1) + min(max(field % SIZE + right, 0), SIZE - 1)
            for field in range(FIELDS)
        ]
        for down, right in MOVES
    ]
    return torch.eye(FIELDS)[torch.tensor(after)]


def arriving(policy: Tensor, target: Tensor, due: Tensor) -> Tensor:
    """The probability of first stepping onto the target exactly when due: [episodes].

    Formally, with k steps left and π the policy, V_k(s) = Σ_a π_k(a|s)·V_{k−1}(where a leads), where V_0 is 1
    on the target and 0 elsewhere, and every later V counts as 0 on the target: who arrives early has lost. It
    is the mean of V_due over all fields but the target.

    Args:
        policy: probabilities of actions, [episodes, horizon, fields, actions], by the steps left.
        target: one field of 25, [episodes, fields], of zeros and ones.
        due: times of arrival, [episodes].
    """
    worth, result = target, torch.zeros_like(due)
    for k in range(1, policy.shape[1] + 1):
        after = torch.stack([worth @ lead.mT for lead in transitions()], dim=-1)
        worth = (policy[:, k - 1] * after).sum(dim=-1) * (1 - target)
        result = torch.where(due == k, worth.sum(dim=-1) / (FIELDS - 1), result)
    return result


class Agent(nn.Module):
    """A perceptron that chooses actions; a unit may read the clock for it.

    Gives, of every episode, the probability that it arrives exactly in time: [episodes, horizon, fields,
    features] of `situations` to [episodes, 1].

    Args:
        clock: the unit, with its options, that makes one number of (time, time due) for the perceptron to
            read, or `None` to have it read both.
        hidden: units between its layers.

    Example:
        >>> agent = Agent(clock=("NAU", ()))
        >>> agent(situations(torch.tensor([7.0]), torch.tensor([5.0]), horizon=5)).shape
        torch.Size([1, 1])
    """

    def __init__(self, *, clock: Part | None = None, hidden: int = 32) -> None:
        super().__init__()
        self.clock = None if clock is None else build_part(clock, 2, 1)
        self.choose = nn.Sequential(
            nn.Linear(2 * OFFSETS + (2 if clock is None else 1), hidden),
            nn.ReLU(),
            nn.Linear(hidden, len(MOVES)),
        )

    def policy(self, x: Tensor) -> Tensor:
        """Probabilities of actions in every situation."""
        times = x[..., -2:] if self.clock is None else self.clock(x[..., -2:])
        scores: Tensor = self.choose(torch.cat([x[..., :-2], times / CLOCK], dim=-1))
        return scores.softmax(dim=-1)

    def forward(self, x: Tensor) -> Tensor:
        # The target is where nothing is left to go in either direction.
        here = x[:, 0, :, SIZE - 1] * x[:, 0, :, OFFSETS + SIZE - 1]
        return arriving(self.policy(x), here, x[:, 0, 0, -1]).unsqueeze(-1)
