"""A unit of your own: sums of squares. Check it with `nalm check my_unit:SquaredSum` in this directory."""

import sympy
import torch
from torch import nn

from nalm import TERNARY, Source, Unit, Weight

MINE = Source("me2026squares", "Me, Myself", "Sums of Squares", "Unpublished", 2026, "https://example.org")


class SquaredSum(Unit):
    """y_o = Σ_i W[o, i]·x_i²: a weight of 1 adds the square, −1 subtracts it, 0 leaves it out."""

    name = "Σx²"
    source = MINE
    operations = ("+", "-", "pow")
    neutral = 0.0

    def __init__(self, in_features, out_features, **factory):
        super().__init__(in_features, out_features, **factory)
        self.weight = nn.Parameter(torch.empty(out_features, in_features))
        self.declared = {"weight": Weight(TERNARY, box=(-1.0, 1.0), pulled_to=TERNARY)}
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.uniform_(self.weight, -0.5, 0.5)

    def forward(self, x):
        return nn.functional.linear(x.square(), self.weight)

    def formula(self, inputs, weights):
        return [sympy.Add(*(w * x**2 for w, x in zip(row, inputs, strict=True))) for row in weights["weight"]]
