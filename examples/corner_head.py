"""The counting CNN of docs/networks.md with several heads: who learns to multiply, over many seeds?

    python examples/corner_head.py --seeds 20

Two pictures with up to nine lit pixels each; the target is the product of the two numbers. A head has learnt
it if its formula is the product, and the network errs by less than 5 % on pictures with up to thirty lit
pixels.
"""

import argparse
from functools import partial

import torch
from torch import nn

import nalm
from nalm.training.losses import log_error, mse, unexplained

PRODUCT = partial(nalm.CornerNPU, start=(0.8, 1.0))
"""Starts as nearly the product of what the CNN gives."""
HEADS = {
    "corner NPU from 1, share of variance": (PRODUCT, unexplained),
    "corner NPU from 1, squared error": (PRODUCT, mse),
    "NMU, share of variance": (nalm.NMU, unexplained),
    "NMU, squared error": (nalm.NMU, mse),
    "NMU, log error": (nalm.NMU, log_error),
    "corner NPU, squared error": (nalm.CornerNPU, mse),
    "corner NPU, log error": (nalm.CornerNPU, log_error),
}
SCHEDULE = nalm.Ramp(3.0, start=200, end=500)


class CountAndMultiply(nn.Module):
    def __init__(self, head):
        super().__init__()
        self.count = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(144, 1))
        self.head = head(2, 1)

    def forward(self, pictures):  # [batch, 2, 6, 6]
        numbers = self.count(pictures.reshape(-1, 1, 6, 6)).reshape(-1, 2)
        return self.head(numbers)


def batch_of_pictures(batch, most):
    lit = torch.randint(1, most + 1, (batch, 2))
    order = torch.rand(batch, 2, 36).argsort(dim=-1)
    pictures = (order < lit.unsqueeze(-1)).float().reshape(batch, 2, 6, 6)
    return pictures, lit.prod(dim=1, keepdim=True).float()


def learns(head, error, seed, iterations=700):
    """Whether the head becomes a product, and the relative error on larger numbers."""
    torch.manual_seed(seed)
    model = CountAndMultiply(head)
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-2)
    nalm.attach(optimiser, model)
    for iteration in range(iterations):
        pictures, product = batch_of_pictures(64, most=9)
        loss = error(model(pictures), product) + nalm.penalty(model, iteration, SCHEDULE)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    pictures, product = batch_of_pictures(1000, most=30)
    with torch.no_grad():
        off = ((model.eval()(pictures) - product).abs() / product).mean().item()
    formula = str(nalm.explain(model.head, names=["first", "second"]).expressions[0])
    return formula == "first*second" and off < 0.05, formula, off


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=100, help="the first seed")
    parser.add_argument("--iterations", type=int, default=700)
    parser.add_argument("--heads", nargs="*", choices=list(HEADS), metavar="HEAD", help="all by default")
    options = parser.parse_args()
    for label in options.heads or HEADS:
        head, error = HEADS[label]
        found = [
            learns(head, error, seed, options.iterations)
            for seed in range(options.first, options.first + options.seeds)
        ]
        worst = max(off for _, _, off in found)
        print(
            f"{label}: {sum(right for right, _, _ in found)} of {options.seeds}, worst error {worst:.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
