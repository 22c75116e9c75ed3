"""Pictures per second in training: the engine's way, all seeds at once by `vmap`, and a plain loop.

One thread, published networks and batches. A plain loop is what a tutorial writes: module, Adam, backward.
The engine's has its channels last, a fused optimiser, and the gradient of a convolution only where the pool
behind it let something through; `--parts` also shows it without the last.
Speeds are per CPU second, so that a busy machine does not matter much, and the flops of the convolutions and
linear layers (forward and twice that backward) say how far they are from a matrix product on the same core.

    python benchmarks/digits.py            # some minutes
    python benchmarks/digits.py --quick
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from contextlib import nullcontext

import torch
from torch.func import functional_call, grad, stack_module_state, vmap

from nalm.networks.vision import DigitSequence, TwoDigits, sparse_backward

SEEDS = 4
BATCHES = {"sequence": (DigitSequence, 64, (2, 28, 28)), "two digits": (TwoDigits, 128, (28, 56))}
"""Network, batch, and the shape of a sample; a sample has two pictures."""
FLOPS = {
    "sequence": 2 * 3 * (24 * 24 * 20 * 25 + 8 * 8 * 50 * 500 + 800 * 500 + 500),
    "two digits": 2 * 3 * (26 * 26 * 32 * 9 + 24 * 24 * 64 * 288 + 9216 * 128 + 128 * 10),
}
"""Of a picture, forward and backward."""


def rate(step: Callable[[], object], pictures: int, repeats: int) -> float:
    """Pictures per CPU second, after one step to warm up."""
    step()
    start = time.process_time()
    for _ in range(repeats):
        step()
    return pictures * repeats / (time.process_time() - start)


def loop(name: str, *, ours: bool, sparse: bool = False) -> tuple[Callable[[], object], int]:
    """One step of a seed: plain, or with channels last and a fused optimiser, and with sparse gradients."""
    kind, batch, shape = BATCHES[name]
    network = kind("NMU")
    if ours:
        network = network.to(memory_format=torch.channels_last)
    optimiser = torch.optim.Adam(network.parameters(), fused=ours)
    x = torch.randint(0, 256, (batch, *shape), dtype=torch.uint8)
    y = torch.ones(batch)

    def step() -> None:
        optimiser.zero_grad()
        with sparse_backward() if sparse else nullcontext():
            (network(x).flatten(1)[:, 0] - y).square().mean().backward()
        optimiser.step()

    return step, 2 * batch


def mapped(name: str) -> tuple[Callable[[], object], int]:
    """Gradients of all seeds at once: grouped convolutions."""
    kind, batch, shape = BATCHES[name]
    networks = [kind("NMU").eval() for _ in range(SEEDS)]
    parameters, buffers = stack_module_state(networks)
    x = torch.randint(0, 256, (SEEDS, batch, *shape), dtype=torch.uint8)

    def loss(own: dict[str, torch.Tensor], rest: dict[str, torch.Tensor], x: torch.Tensor) -> torch.Tensor:
        return functional_call(networks[0], (own, rest), (x,)).flatten(1)[:, 0].square().mean()

    gradients = vmap(grad(loss))
    return lambda: gradients(parameters, buffers, x), 2 * batch * SEEDS


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="two repetitions instead of ten")
    parser.add_argument("--parts", action="store_true", help="also vmap, and without sparse gradients")
    chosen = parser.parse_args()
    repeats = 2 if chosen.quick else 10
    torch.set_num_threads(1)
    a, b = torch.rand(1024, 1024), torch.rand(1024, 1024)
    peak = rate(lambda: a @ b, 2 * 1024**3, 3 * repeats)
    print(f"matrix product: {peak / 1e9:.0f} Gflop/s")
    for name in BATCHES:
        found = {
            "plain loop": rate(*loop(name, ours=False), repeats),
            "ours": rate(*loop(name, ours=True, sparse=True), repeats),
        }
        if chosen.parts:
            found["channels last, fused Adam"] = rate(*loop(name, ours=True), repeats)
            found[f"vmap, {SEEDS} seeds, gradients only"] = rate(*mapped(name), repeats)
        for way, speed in found.items():
            share = speed * FLOPS[name] / peak
            ratio = speed / found["plain loop"]
            text = f"{ratio:4.2f} ×  {share:4.0%} of the matrix product's flops"
            print(f"{name:10}  {way:32} {speed:7.0f} pictures/s  {text}")
        line = {"benchmark": "digits", "network": name, "peak_flops": peak, "flops": FLOPS[name]}
        print(json.dumps(line | {"pictures_per_second": found}))


if __name__ == "__main__":
    main()
