"""Which runs lie side by side, and tensors as compiled code reads them."""

import torch

from nalm.compiler.build import header
from nalm.compiler.lanes import LANES, Layout, as_bits, from_bits, groups_by_key, groups_by_seed


def busy_runs(groups) -> list[int]:
    return sorted(run for g in groups for run, busy in zip(g.runs, g.busy, strict=True) if busy)


def test_the_header_has_the_same_number_of_lanes() -> None:
    assert f"#define LANES {LANES}\n" in header()


def test_seeds_lie_side_by_side_and_groups_of_the_same_seeds_share() -> None:
    seeds = [seed for seed in range(25) for _ in range(9)]
    found = groups_by_seed(seeds)
    assert sorted(len(own) for own in found.values()) == [2, 9, 9, 9]
    for key, groups in found.items():
        for group in groups:
            assert all(seeds[run] == seed for run, seed in zip(group.runs, key, strict=True))
    assert busy_runs(g for own in found.values() for g in own) == list(range(225))


def test_any_number_of_runs_per_seed_finds_its_place() -> None:
    seeds = [1, 1, 1, 2, 3, 3, 2**31 - 1, 4, 5, 6, 7, 8, 9, 9]
    found = groups_by_seed(seeds)
    assert busy_runs(g for own in found.values() for g in own) == list(range(len(seeds)))
    for key, groups in found.items():
        for group in groups:
            for run, seed, busy in zip(group.runs, key, group.busy, strict=True):
                assert not busy or seeds[run] == seed


def test_groups_agree_in_their_key() -> None:
    keys = ["a", "b"] * 10
    found = groups_by_key(keys)
    assert [key for key, _ in found] == ["a", "a", "b", "b"]
    assert busy_runs(g for _, g in found) == list(range(20))
    assert all(keys[run] == key for key, group in found for run in group.runs)


def test_packing_and_unpacking() -> None:
    tensors = {
        "a": torch.randn(11, 2, 3),
        "n": torch.arange(11) - 5,
        "p": torch.arange(11) % 2 == 0,
        "empty": torch.zeros(11, 0),
    }
    groups = [g for own in groups_by_seed(list(range(11))).values() for g in own]
    runs, busy = torch.tensor([g.runs for g in groups]), torch.tensor([g.busy for g in groups])
    layout = Layout.of({name: value[0] for name, value in tensors.items()})
    packed = layout.pack(tensors, runs)
    assert packed.shape == (2, layout.size, LANES)
    found = layout.unpack(packed, runs, busy, 11)
    assert all(torch.equal(found[name], value) for name, value in tensors.items())


def test_large_integers_are_saturated() -> None:
    big = torch.tensor([2**40, -(2**40), 7])
    assert from_bits(as_bits(big), torch.int64).tolist() == [2**31 - 1, -(2**31) + 1, 7]
