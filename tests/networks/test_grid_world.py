"""How often an agent arrives in time, against counting and against simulation."""

import torch

from nalm.networks.grid_world import FIELDS, MOVES, SIZE, Agent, arriving, situations, transitions

STAY = len(MOVES) - 1


def one_hot(field: int) -> torch.Tensor:
    return torch.eye(FIELDS)[[field]]


def test_moves() -> None:
    lead = transitions()
    assert lead.shape == (len(MOVES), FIELDS, FIELDS)
    assert (lead.sum(dim=-1) == 1).all()
    centre = 12
    assert [int(lead[action, centre].argmax()) for action in range(len(MOVES))] == [7, 17, 11, 13, 12]
    assert int(lead[0, 0].argmax()) == 0  # off the grid


def test_a_random_walk_by_hand() -> None:
    """With one step left, each neighbour of the target arrives by one action of five."""
    policy = torch.full((1, 1, FIELDS, len(MOVES)), 1 / len(MOVES))
    found = arriving(policy, one_hot(12), torch.tensor([1.0]))
    assert torch.allclose(found, torch.tensor(4 / 5 / (FIELDS - 1)))


def test_arriving_early_is_a_failure() -> None:
    """With three steps left, who goes straight to a target two fields away has lost."""
    due, horizon = torch.tensor([3.0]), 3
    straight = torch.zeros(1, horizon, FIELDS, len(MOVES))
    straight[..., 3] = 1  # to the right, always
    assert arriving(straight, one_hot(4), due) * (FIELDS - 1) == 1  # from field 1 alone, three steps away
    waits = straight.clone()
    waits[:, 2] = torch.eye(len(MOVES))[STAY]
    assert arriving(waits, one_hot(4), due) * (FIELDS - 1) == 1  # from field 2 alone


def test_against_simulated_episodes() -> None:
    torch.manual_seed(0)
    agent = Agent(clock=("NAU", ()))
    target, due = 8, 5
    x = situations(torch.tensor([float(target)]), torch.tensor([float(due)]), due)
    with torch.no_grad():
        policy, expected = agent.policy(x)[0], float(agent(x))
    lead, arrived, episodes = transitions().argmax(dim=-1), 0, 20_000
    field = torch.tensor([f for f in range(FIELDS) if f != target]).repeat(episodes // (FIELDS - 1))
    alive = torch.ones_like(field, dtype=torch.bool)
    for left in range(due, 0, -1):
        action = torch.multinomial(policy[left - 1][field], 1)[:, 0]
        field = torch.where(alive, lead[action, field], field)
        here = alive & (field == target)
        arrived += int(here.sum()) if left == 1 else 0
        alive &= ~here
    assert abs(arrived / len(field) - expected) < 0.01


def test_what_an_agent_sees() -> None:
    x = situations(torch.tensor([7.0]), torch.tensor([6.0]), 6)
    field = 18  # row 3, column 3; the target is in row 1, column 2
    down, right = x[0, 0, field, :9], x[0, 0, field, 9:18]
    assert (int(down.argmax()), int(right.argmax())) == (SIZE - 1 - 2, SIZE - 1 - 1)
    assert x[0, :, field, -2].tolist() == [5.0, 4.0, 3.0, 2.0, 1.0, 0.0]
