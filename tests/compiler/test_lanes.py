"""Which runs lie side by side, and tensors as compiled code reads them."""

import platform
import subprocess
import sys

import pytest
import torch

from nalm.compiler.build import Building
from nalm.compiler.lanes import LANES, Layout, arranged, as_bits, drawn_together, from_bits, groups_by_key


def occupied_runs(groups) -> list[int]:
    return sorted(run for g in groups for run, occupied in zip(g.runs, g.occupied, strict=True) if occupied)


def test_the_header_is_compiled_for_as_many_lanes() -> None:
    assert Building("int lanes(void) { return sizeof(real) / sizeof(float); }").library().lanes() == LANES


def groups(blocks, job: int = 0):
    return [row.groups[job] for block in blocks for row in block.rows if job in row.groups]


def assert_in_their_lanes(blocks, jobs) -> None:
    """Every run has one lane, of its seed and its key."""
    for k, runs in enumerate(jobs):
        assert occupied_runs(groups(blocks, k)) == list(range(len(runs)))
    for block in blocks:
        for row in block.rows:
            for k, group in row.groups.items():
                lanes = zip(group.runs, group.occupied, block.seeds, row.keys, strict=True)
                assert all(jobs[k][run] == (seed, key) for run, occupied, seed, key in lanes if occupied)


def test_seeds_lie_side_by_side_and_groups_of_the_same_seeds_share() -> None:
    jobs = [[(seed, label) for seed in range(25) for label in range(9)]]
    for width, rows in ((8, [9, 9, 9, 2]), (16, [9, 5, 1])):
        blocks = arranged(jobs, width)
        assert [len(block.rows) for block in blocks] == rows
        assert_in_their_lanes(blocks, jobs)


def test_a_few_seeds_with_a_run_each_share_a_block() -> None:
    """Two blocks without idle lanes would be more groups."""
    jobs = [[(seed, "a") for seed in range(11)]]
    blocks = arranged(jobs, width=16)
    assert [len(block.rows) for block in blocks] == [1]
    assert_in_their_lanes(blocks, jobs)


def test_blocks_of_few_seeds_are_drawn_at_once() -> None:
    blocks = arranged([[(seed, label) for seed in range(25) for label in range(9)]], width=16)
    full, rest = drawn_together(blocks, width=16)
    assert (full.seeds, full.blocks) == (tuple(range(16)), [(blocks[0], None)])
    assert [block for block, _ in rest.blocks] == blocks[1:]
    for block, lanes in rest.blocks:
        assert lanes is not None
        assert tuple(rest.seeds[lane] for lane in lanes) == block.seeds


def test_any_number_of_runs_per_seed_finds_its_place() -> None:
    seeds = [1, 1, 1, 2, 3, 3, 2**31 - 1, 4, 5, 6, 7, 8, 9, 9]
    jobs = [[(seed, "same") for seed in seeds]]
    assert_in_their_lanes(arranged(jobs), jobs)


def test_jobs_that_lost_some_runs_still_share_the_seeds_of_the_others() -> None:
    """Those of 8 that both have lie in one block, whose numbers are drawn once."""
    everything = [(seed, "a") for seed in range(20)]
    jobs = [everything, everything[3:], everything[3:12] + [(seed, "b") for seed in range(3, 5)]]
    blocks = arranged(jobs, width=8)
    assert len(blocks) == 3
    assert_in_their_lanes(blocks, jobs)
    assert [len(groups(blocks, k)) for k in range(3)] == [3, 3, 3]


def test_rows_of_a_block_say_what_their_samples_are_made_of() -> None:
    (block,) = arranged([[(seed, label) for seed in range(8) for label in "ab"]], width=8)
    assert [row.keys for row in block.rows] == [("a",) * 8, ("b",) * 8]


def test_groups_agree_in_their_key() -> None:
    keys = ["a", "b"] * (LANES + 1)
    found = groups_by_key(keys)
    assert [key for key, _ in found] == ["a", "a", "b", "b"]
    assert occupied_runs(g for _, g in found) == list(range(2 * LANES + 2))
    assert all(keys[run] == key for key, group in found for run in group.runs)


def test_packing_and_unpacking() -> None:
    tensors = {
        "a": torch.randn(19, 2, 3),
        "n": torch.arange(19) - 5,
        "p": torch.arange(19) % 2 == 0,
        "empty": torch.zeros(19, 0),
    }
    own = groups(arranged([[(seed, None) for seed in range(19)]]))
    runs, occupied = torch.tensor([g.runs for g in own]), torch.tensor([g.occupied for g in own])
    layout = Layout.of({name: value[0] for name, value in tensors.items()})
    packed = layout.pack(tensors, runs)
    assert packed.shape == (len(own), layout.size, LANES)
    found = layout.unpack(packed, runs, occupied, 19)
    assert all(torch.equal(found[name], value) for name, value in tensors.items())


def test_large_integers_are_saturated() -> None:
    big = torch.tensor([2**40, -(2**40), 7])
    assert from_bits(as_bits(big), torch.int64).tolist() == [2**31 - 1, -(2**31) + 1, 7]


TRAINING = """
import hashlib, sys, torch
if len(sys.argv) > 1:
    torch.backends.cpu.get_cpu_capability = lambda: sys.argv[1]
from nalm import Architecture, Layer, Recipe, Run, train
from nalm.compiler import LANES
from nalm.tasks import single_module
found = hashlib.sha256()
for unit in ("NMU", "NALU", "RealPower", "CornerNPU"):
    network = Architecture((Layer(unit, 2, 1),))
    ranges = ("[1, 2)", "[-2, 2)")
    tasks = [single_module("mul", interpolation=label) for label in ranges]
    runs = [Run(network, task, Recipe(iterations=1000), seed) for task in tasks for seed in range(9)]
    for curve in train(runs):
        for part in (curve.validation, curve.test, *curve.weights.values()):
            found.update(part.tobytes())
print(LANES, found.hexdigest())
"""


@pytest.mark.skipif(platform.machine().lower() not in ("x86_64", "amd64"), reason="AVX2 is Intel's and AMD's")
def test_a_run_has_the_same_bits_with_eight_lanes_as_with_all_this_machine_has() -> None:
    command = [sys.executable, "-c", TRAINING]
    ours, eight = (
        subprocess.run([*command, *more], capture_output=True, text=True, check=True).stdout.split()
        for more in ([], ["AVX2"])
    )
    assert (int(ours[0]), int(eight[0])) == (LANES, 8)
    assert ours[1] == eight[1]
