"""A new unit for products. Rank it with `nalm bench new_unit:SineNMU --budget laptop` in this directory."""

import sympy
import torch
from torch import nn

from nalm import BINARY, Source, TrainingHints, Unit, Weight


class SineNMU(Unit):
    """y_o = Π_i (w·x_i + 1 − w) with w = sin²θ: weights stay in [0, 1] and slow down near 0 and 1."""

    name = "sine NMU"
    source = Source("me2026", "Me, Myself", "Sines for Products", "Unpublished", 2026, "https://example.org")
    operations = ("*",)
    neutral = 1.0
    hints = TrainingHints(learning_rate=1e-2)

    def __init__(self, in_features, out_features, **factory):
        super().__init__(in_features, out_features, **factory)
        self.theta = nn.Parameter(torch.empty(out_features, in_features))
        self.declared = {"weight": Weight(BINARY)}
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.uniform_(self.theta, 0.6, 1.0)

    @property
    def weight(self):
        return self.theta.sin().square()

    def assign(self, weight):
        super().assign(theta=weight.sqrt().asin())

    def forward(self, x):
        return (self.weight * x.unsqueeze(-2) + 1 - self.weight).prod(dim=-1)

    def formula(self, inputs, weights):
        rows = (zip(row, inputs, strict=True) for row in weights["weight"])
        return [sympy.prod(w * x + 1 - w for w, x in row) for row in rows]
