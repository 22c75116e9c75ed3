"""Does solving the head help? Training with `solve_head` every few batches against training without it.

The running product of two digits and the product of two digits side by side, both with the NMU, and their
quotient with the NRU; the same seeds, batches and penalties either way. Printed per run: after how many
batches the weights stay within 0.05 of those of the formula, what they are at the end, the error on test
digits (of unseen pairs, side by side), and how many of the digits are read right. Reads MNIST:
`nalm data mnist`.

    python benchmarks/head.py --batches 387 --seeds 3      # minutes on one core
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor

from nalm import attach, record_inputs, rz_penalty, solve_head
from nalm.networks.vision import DigitSequence, TwoDigits, sparse_backward
from nalm.tasks.digits import digit_product, two_digits
from nalm.training import HeadSolution

NEAR = 0.05
"""How far from those of the formula weights have arrived."""
TESTED = 1000


def solve_cell(network: Any, x: Tensor, y: Tensor) -> HeadSolution:
    """From what the cell would read if it had been right so far; the CNN's scale is free."""
    before = torch.cat([torch.ones_like(y[:, :1, 0]), y[:, :-1, 0]], dim=1)
    inputs = torch.stack([network.read(x), before], dim=-1).flatten(0, 1)
    return solve_head(network.cell, inputs, y[..., :1].flatten(0, 1), front=network.front.fc2, features=[0])


def solve_pair(network: Any, x: Tensor, y: Tensor) -> HeadSolution:
    """From the two expected classes, whose scale is given."""
    return solve_head(network.head, network.read(x), y[:, :1])


class HeadTask(NamedTuple):
    """What is learnt, with which network, and how its head is solved.

    Attributes:
        formula: the weights that are right.
        with_rz: whether the published training has R_z.
    """

    task: Any
    batch: int
    build: Callable[[], Any]
    solve: Callable[..., HeadSolution]
    formula: tuple[float, float]
    with_rz: bool = False


TASKS = {
    "digit-product": HeadTask(
        digit_product().tested_on(TESTED),
        64,
        lambda: DigitSequence("NMU", start=1.0),
        solve_cell,
        (1.0, 1.0),
        with_rz=True,
    ),
    "two-digit-product": HeadTask(
        two_digits("mul").tested_on(TESTED), 128, lambda: TwoDigits("NMU"), solve_pair, (1.0, 1.0)
    ),
    "two-digit-quotient": HeadTask(
        two_digits("div").tested_on(TESTED), 128, lambda: TwoDigits("NRU"), solve_pair, (1.0, -1.0)
    ),
}


def train(name: str, seed: int, batches: int, every: int | None) -> dict[str, Any]:
    """One run; `every` batches the head is solved, or never."""
    task, size, build, solve, formula, with_rz = TASKS[name]
    right = torch.tensor([formula])
    supplier = task.supplier(size)
    torch.manual_seed(seed)
    network = build().to(memory_format=torch.channels_last)
    unit = network.cell if isinstance(network, DigitSequence) else network.head
    optimiser = torch.optim.Adam(network.parameters(), fused=True)
    attach(optimiser, network)
    rows = supplier.reader([(task, seed)])(0, batches)["samples"].values[:, 0]
    arrived, changed = None, 0
    for k, chosen in enumerate(rows):
        x, y = supplier.batch({}, {"samples": chosen})
        if every and k % every == 0 and k:
            network.eval()
            with torch.no_grad():
                changed += solve(network, x, y).changed
            network.train()
        optimiser.zero_grad()
        with sparse_backward(), record_inputs(network) as read:
            output = supplier.output(network(x))
            loss = (output - supplier.target(y)).square().mean()
            if with_rz:
                loss = loss + rz_penalty(network, read)
            loss.backward()
        optimiser.step()
        near = bool((unit.weight - right).abs().max() <= NEAR)
        arrived = (k + 1 if arrived is None else arrived) if near else None
    network.eval()
    found: dict[str, list[tuple[int, Tensor]]] = {"error": [], "wrong": []}
    column = "length 2" if isinstance(network, DigitSequence) else "test"
    with torch.no_grad():
        for batch in supplier.evaluation(task, seed):
            if batch.column != column:
                continue
            output = network(batch.x)
            found["error"].append(
                (len(output), (supplier.output(output) - supplier.target(batch.y)).square().mean())
            )
            found["wrong"].append((len(output), (output[..., 1:].round() != batch.y[..., 1:]).float().mean()))
    means = {key: float(sum(n * v for n, v in own) / sum(n for n, _ in own)) for key, own in found.items()}
    return {
        "benchmark": "head", "task": name, "seed": seed, "batches": batches, "every": every,
        "arrived": arrived, "solved_times": changed, "weights": unit.weight.flatten().tolist(),
        "error": means["error"], "digits_right": 1 - means["wrong"],
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--task", choices=TASKS, action="append")
    parser.add_argument("--batches", type=int, default=387)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--every", type=int, default=50, help="batches between two solutions of the head")
    parser.add_argument("--way", choices=("plain", "solved"), action="append", help="both by default")
    chosen = parser.parse_args()
    ways = {"plain": None, "solved": chosen.every}
    torch.set_num_threads(1)
    for name in chosen.task or TASKS:
        for seed in range(chosen.seeds):
            for way in chosen.way or ways:
                print(json.dumps(train(name, seed, chosen.batches, ways[way])), flush=True)


if __name__ == "__main__":
    main()
