"""What arithmetic units are compared with: layers and cells without an arithmetic bias."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np
import torch
from torch import Tensor, nn

from nalm.units.additive import clamped, linear_formula
from nalm.units.base import Unit, Weight
from nalm.units.factory import Factory
from nalm.units.functional import product_over_inputs, weighted_sum
from nalm.units.option_checks import one_of
from nalm.units.registry import register
from nalm.units.sources import LSTM_PAPER, NAU_PAPER, QUADRATIC_PAPER, STOCHASTIC_PAPER, THESIS

if TYPE_CHECKING:
    import sympy


@register
class Linear(Unit):
    """Linear layer with bias, as in the two-layer task (Madsen & Johansen 2020).

    Formally,

        y_o = Σ_i W[o, i]·x_i + b_o

    Any real weight is a solution. W starts Xavier uniform, b at 0. W counts for the sparsity error, for
    comparison with the units that are pulled to discrete weights.

    Weaknesses: sums only, and nothing makes the sum exact.

    Example:
        >>> unit = Linear(2, 1)
        >>> unit.assign(weight=torch.tensor([[2.0, -1.0]]), bias=torch.tensor([3.0]))
        >>> unit.expression(["a", "b"])
        [2*a - b + 3]
    """

    name = "Linear"
    source = NAU_PAPER
    operations: ClassVar[tuple[str, ...]] = ("+", "-")

    def __init__(self, in_features: int, out_features: int, **factory: Unpack[Factory]) -> None:
        super().__init__(in_features, out_features, **factory)
        self.weight = nn.Parameter(torch.empty(out_features, in_features))
        self.bias = nn.Parameter(torch.empty(out_features))
        self.declared = {"weight": Weight(), "bias": Weight(counts=False)}
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.xavier_uniform_(self.weight)
        nn.init.zeros_(self.bias)

    def affine(self, x: Tensor) -> Tensor:
        """W·x + b."""
        return weighted_sum(x, self.weight) + self.bias

    def forward(self, x: Tensor) -> Tensor:
        return self.affine(x)

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        sums = linear_formula(inputs, weights["weight"])
        return [total + bias for total, bias in zip(sums, weights["bias"], strict=True)]


@register
class ReLU(Linear):
    """Rectified linear layer with bias, as in the two-layer task (Madsen & Johansen 2020).

    Formally,

        y_o = max(Σ_i W[o, i]·x_i + b_o, 0)

    W starts Kaiming uniform, b at 0. The layer after it is a `Linear`, although the paper lists a ReLU (D22).

    Weaknesses: a network of these is linear far from its training range, so it extrapolates no product.

    Example:
        >>> unit = ReLU(1, 1)
        >>> unit.assign(weight=torch.tensor([[-1.0]]), bias=torch.tensor([0.0]))
        >>> unit(torch.tensor([[2.0], [-2.0]])).tolist()
        [[0.0], [2.0]]
    """

    name = "ReLU"
    operations = ()

    def reset_parameters(self) -> None:
        nn.init.kaiming_uniform_(self.weight, nonlinearity="relu")
        nn.init.zeros_(self.bias)

    def forward(self, x: Tensor) -> Tensor:
        return self.affine(x).relu()

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        import sympy

        return [sympy.Max(total, 0) for total in super().formula(inputs, weights)]


@register
class ReLU6(ReLU):
    """ReLU that saturates at 6, as in the two-layer task (Madsen & Johansen 2020).

    Formally,

        y_o = min(max(Σ_i W[o, i]·x_i + b_o, 0), 6)

    Weaknesses: the ReLU's, and bounded on top.

    Example:
        >>> unit = ReLU6(1, 1)
        >>> unit.assign(weight=torch.tensor([[2.0]]), bias=torch.tensor([0.0]))
        >>> unit.expression(["a"])
        [Min(6, Max(0, 2*a))]
    """

    name = "ReLU6"

    def forward(self, x: Tensor) -> Tensor:
        return self.affine(x).clamp(0.0, 6.0)

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        return clamped([Linear.formula(self, inputs, weights)], 0, 6)[0]


@register
class MLP(Unit):
    """Multilayer perceptron with rectified hidden layers (002 section 7.2.1: six layers, 16 hidden units).

    Formally, with h_0 = x,

        h_l = max(W_l·h_{l−1} + b_l, 0) for l < L,   y = W_L·h_{L−1} + b_L

    Weights start as in `torch.nn.Linear`. There is no formula to read from it: `expression` gives opaque
    functions of the inputs that evaluate to the network.

    Weaknesses: fits the training range and extrapolates linearly.

    Args:
        hidden: units per hidden layer.
        layers: L, linear maps in all.

    Example:
        >>> MLP(2, 1).expression(["a", "b"])
        [MLP_1(a, b)]
    """

    name = "MLP"
    source = THESIS
    operations = ()

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        hidden: int = 16,
        layers: int = 6,
        **factory: Unpack[Factory],
    ) -> None:
        super().__init__(in_features, out_features, **factory)
        if layers < 1 or hidden < 1:
            raise ValueError(f"MLP needs at least one layer and one hidden unit, got {layers=}, {hidden=}")
        self.layers = layers
        sizes = [in_features, *[hidden] * (layers - 1), out_features]
        for layer in range(layers):
            fan_in, fan_out = sizes[layer], sizes[layer + 1]
            self.register_parameter(f"weight_{layer + 1}", nn.Parameter(torch.empty(fan_out, fan_in)))
            self.register_parameter(f"bias_{layer + 1}", nn.Parameter(torch.empty(fan_out)))
        self.declared = {name: Weight(counts=False) for name, _ in self.named_parameters()}
        self.reset_parameters()

    def maps(self) -> list[tuple[Tensor, Tensor]]:
        """(W_l, b_l) from the inputs to the outputs."""
        return [
            (getattr(self, f"weight_{layer}"), getattr(self, f"bias_{layer}"))
            for layer in range(1, self.layers + 1)
        ]

    def reset_parameters(self) -> None:
        for weight, bias in self.maps():
            bound = 1 / math.sqrt(weight.shape[1])
            nn.init.uniform_(weight, -bound, bound)
            nn.init.uniform_(bias, -bound, bound)

    def forward(self, x: Tensor) -> Tensor:
        *hidden, (weight, bias) = self.maps()
        for inner_weight, inner_bias in hidden:
            x = (weighted_sum(x, inner_weight) + inner_bias).relu()
        return weighted_sum(x, weight) + bias

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        from sympy.utilities.lambdify import implemented_function

        maps = [
            (np.array(weights[f"weight_{layer}"], float), np.array(weights[f"bias_{layer}"], float))
            for layer in range(1, self.layers + 1)
        ]
        return [
            implemented_function(f"MLP_{output + 1}", _perceptron(maps, output))(*inputs)
            for output in range(self.out_features)
        ]


def _perceptron(maps: list[tuple[Any, Any]], output: int) -> Callable[..., Any]:
    """One output of the network as a function of numbers or arrays, one per input."""

    def evaluate(*inputs: Any) -> Any:
        h = np.stack(np.broadcast_arrays(*(np.asarray(x, float) for x in inputs)), axis=-1)
        for weight, bias in maps[:-1]:
            h = np.maximum(h @ weight.T + bias, 0)
        weight, bias = maps[-1]
        return h @ weight[output] + bias[output]

    return evaluate


@register
class Quadratic(Unit):
    """Layer of quadratic neurons (Fan et al. 2018; 002 eq. 7.1).

    Formally,

        y_o = (Σ_i W¹[o, i]·x_i + b¹_o)·(Σ_i W²[o, i]·x_i + b²_o) + Σ_i W³[o, i]·x_i² + c_o

    Any real weight is a solution.

    Args:
        initial: `"xavier"` starts the W Xavier uniform and biases at 0, so that a sum has to be learnt
            through the biases; `"linear"` starts all like `torch.nn.Linear`. The thesis does not say.

    Weaknesses: expresses +, − and × but no division, and nothing makes weights exact.

    Example:
        >>> unit = Quadratic(2, 1)
        >>> unit.assign(first_weight=torch.tensor([[1.0, 0.0]]), second_weight=torch.tensor([[0.0, 1.0]]))
        >>> unit.assign(square_weight=torch.tensor([[0.0, 3.0]]))
        >>> unit.expression(["a", "b"])
        [a*b + 3*b**2]
    """

    name = "Quadratic"
    source = QUADRATIC_PAPER
    operations = ("+", "-", "*")

    def __init__(
        self, in_features: int, out_features: int, *, initial: str = "xavier", **factory: Unpack[Factory]
    ) -> None:
        super().__init__(in_features, out_features, **factory)
        self.initial = one_of("initial", initial, ("xavier", "linear"))
        self.first_weight = nn.Parameter(torch.empty(out_features, in_features))
        self.first_bias = nn.Parameter(torch.empty(out_features))
        self.second_weight = nn.Parameter(torch.empty(out_features, in_features))
        self.second_bias = nn.Parameter(torch.empty(out_features))
        self.square_weight = nn.Parameter(torch.empty(out_features, in_features))
        self.constant = nn.Parameter(torch.empty(out_features))
        self.declared = {name: Weight(counts=False) for name, _ in self.named_parameters()}
        self.reset_parameters()

    def reset_parameters(self) -> None:
        if self.initial == "linear":
            r = 1 / math.sqrt(self.in_features)
            for parameter in self.parameters():
                nn.init.uniform_(parameter, -r, r)
            return
        for weight in (self.first_weight, self.second_weight, self.square_weight):
            nn.init.xavier_uniform_(weight)
        for bias in (self.first_bias, self.second_bias, self.constant):
            nn.init.zeros_(bias)

    def forward(self, x: Tensor) -> Tensor:
        first = weighted_sum(x, self.first_weight) + self.first_bias
        second = weighted_sum(x, self.second_weight) + self.second_bias
        return first * second + weighted_sum(x.square(), self.square_weight) + self.constant

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        first = linear_formula(inputs, weights["first_weight"])
        second = linear_formula(inputs, weights["second_weight"])
        squares = linear_formula([x**2 for x in inputs], weights["square_weight"])
        return [
            (a + weights["first_bias"][o]) * (b + weights["second_bias"][o]) + q + weights["constant"][o]
            for o, (a, b, q) in enumerate(zip(first, second, squares, strict=True))
        ]


@register
class WeightedProduct(Unit):
    """Weighted product accumulator, the "FC" baseline of the digit tasks (002 section 4.6.1.1).

    Formally, with W free,

        y_o = Π_i W[o, i]·x_i

    Every input is a factor; the product is exact when the weights of a row multiply to 1. W starts at U[¼, ¾]
    like the NMU's, is neither clamped nor penalised.

    Weaknesses: cannot leave an input out; learns a scale that only the product of its weights determines.

    Example:
        >>> unit = WeightedProduct(2, 1)
        >>> unit.assign(weight=torch.tensor([[2.0, 0.5]]))
        >>> unit(torch.tensor([3.0, 4.0])).tolist()
        [12.0]
    """

    name = "FC"
    source = STOCHASTIC_PAPER
    operations = ("*",)

    def __init__(self, in_features: int, out_features: int, **factory: Unpack[Factory]) -> None:
        super().__init__(in_features, out_features, **factory)
        self.weight = nn.Parameter(torch.empty(out_features, in_features))
        self.declared = {"weight": Weight()}
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.uniform_(self.weight, 0.25, 0.75)

    def forward(self, x: Tensor) -> Tensor:
        return product_over_inputs(torch.mul, self.weight, x)

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        return [math.prod(w * x for w, x in zip(row, inputs, strict=True)) for row in weights["weight"]]


@register
class LSTMUnit(Unit):
    """One step of a long short-term memory (Hochreiter & Schmidhuber 1997), baseline of the sequence tasks.

    Formally, with the state (h, c) and i, f, g, o the quarters of z = W_ih·x + b_ih + W_hh·h + b_hh,

        c' = σ(f)·c + σ(i)·tanh(g),   h' = σ(o)·tanh(c')

    `forward` is the first step, from the state 0; `step` carries a state along. Parameters are named and
    start as in `torch.nn.LSTMCell`, whose state dict it loads; unlike it, it takes any leading shape and
    `vmap`.

    Weaknesses: h stays within (−1, 1), so a sum or product has to be decoded from it.

    Example:
        >>> unit = LSTMUnit(2, 3)
        >>> hidden, cell = unit.step(torch.ones(5, 2), torch.zeros(5, 3), torch.zeros(5, 3))
        >>> hidden.shape, torch.equal(hidden, unit(torch.ones(5, 2)))
        (torch.Size([5, 3]), True)
    """

    name = "LSTM"
    source = LSTM_PAPER
    operations = ()

    def __init__(self, in_features: int, out_features: int, **factory: Unpack[Factory]) -> None:
        super().__init__(in_features, out_features, **factory)
        self.weight_ih = nn.Parameter(torch.empty(4 * out_features, in_features))
        self.weight_hh = nn.Parameter(torch.empty(4 * out_features, out_features))
        self.bias_ih = nn.Parameter(torch.empty(4 * out_features))
        self.bias_hh = nn.Parameter(torch.empty(4 * out_features))
        self.declared = {name: Weight(counts=False) for name, _ in self.named_parameters()}
        self.reset_parameters()

    def reset_parameters(self) -> None:
        bound = 1 / math.sqrt(self.out_features)
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -bound, bound)

    def step(self, x: Tensor, hidden: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
        """The next hidden and cell state, each [..., out_features]."""
        z = (
            weighted_sum(x, self.weight_ih)
            + self.bias_ih
            + weighted_sum(hidden, self.weight_hh)
            + self.bias_hh
        )
        i, f, g, o = z.chunk(4, dim=-1)
        cell = f.sigmoid() * cell + i.sigmoid() * g.tanh()
        return o.sigmoid() * cell.tanh(), cell

    def forward(self, x: Tensor) -> Tensor:
        zero = x.new_zeros(*x.shape[:-1], self.out_features)
        return self.step(x, zero, zero)[0]

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        import sympy

        sums = linear_formula(inputs, weights["weight_ih"])
        z = [
            total + b_ih + b_hh
            for total, b_ih, b_hh in zip(sums, weights["bias_ih"], weights["bias_hh"], strict=True)
        ]
        size = self.out_features
        return [
            sympy.tanh(sympy.tanh(g) / (1 + sympy.exp(-i))) / (1 + sympy.exp(-o))
            for i, g, o in zip(z[:size], z[2 * size : 3 * size], z[3 * size :], strict=True)
        ]
