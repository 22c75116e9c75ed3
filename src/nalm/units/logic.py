"""A unit that learns Boolean rules: NLRL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

import torch
from torch import Tensor, nn

from nalm.units.base import BINARY, Unit, Weight
from nalm.units.factory import Factory
from nalm.units.functional import product
from nalm.units.initial_ranges import xavier_range
from nalm.units.option_checks import one_of
from nalm.units.registry import register
from nalm.units.sources import NLRL_PAPER
from nalm.units.tanh_sigmoid import logits

if TYPE_CHECKING:
    import sympy
    from sympy.logic.boolalg import Boolean

EPSILON = 1e-7
"""Added to |x̂| before its logarithm is taken, as in the NALU."""
HATS = {"negation": "negation_hat", "weight": "weight_hat", "output": "output_hat"}


def disjunction(terms: Tensor) -> Tensor:
    """1 − Π_i (1 − t_i) over the last dimension: OR, for t in {0, 1}.

    It is the sum over all 2^I terms of the Kronecker product of 002 eq. 2.27, in I multiplications: that sum
    factors into Π_{i ≥ 2} (1 − t_i) · (−1 + t_1) + 1, with [−1, t_1] taken once, not once per i as printed.

    Example:
        >>> disjunction(torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
        tensor([0., 1., 1.])
    """
    return 1 - product(1 - terms)


def conjunction(x: Tensor, weight: Tensor) -> Tensor:
    """Π_i (|x_i| + ε)^A_i over the last dimension: AND of those x in {0, 1} with A = 1 (002 eq. 2.28).

    Example:
        >>> conjunction(torch.tensor([[1.0, 0.0], [1.0, 1.0]]), torch.ones(2)).round()
        tensor([0., 1.])
    """
    return (weight * (x.abs() + EPSILON).log()).sum(dim=-1).exp()


@register
class NLRL(Unit):
    """Neural Logic Rule Layer (Reimann & Schwung 2019; 002 eq. 2.26–2.29).

    Formally, with Boolean x, and N = σ(N̂) (`negation`), A = σ(Â) (`weight`), G = σ(Ĝ) (`output`) learnt,

        x̂_oi = (1 − N[o, i])·x_i + N[o, i]·(1 − x_i)
        AND_o = exp Σ_i A[o, i]·ln(|x̂_oi| + ε),   OR_o = 1 − Π_i (1 − A[o, i]·x̂_oi)
        y_o = (1 − G[o])·AND_o + G[o]·OR_o

    N = 1 negates an input, A = 1 takes it into the rule, A = 0 leaves it out; G = 0 makes the rule a
    conjunction, 1 a disjunction, as eq. 2.29 has it (the sentence before it says the opposite). Two layers
    express every Boolean function. The thesis gives neither bounds for A nor a start: here A is a sigmoid
    like the gates, so that every output stays in [0, 1], and all three start from Xavier's uniform range.

    The penalty, which no text mentions, is that of the other units with discrete weights: it pulls N, A and G
    to {0, 1}, if a schedule gives it a strength.

    Args:
        form: `"full"`, as above; `"conjunction"`: no OR, and the output gate negates instead,
            y = (1 − G)·AND + G·(1 − AND); or `"disjunction"`: no AND, y = (1 − G)·OR + G·(1 − OR). By De
            Morgan's laws all three express the same rules.
        output_gates: `"one"` per output, or `"per input"`: eq. 2.29 prints G[o, i], with an i that its left
            side has not; an output is then gated by the mean of σ(Ĝ[o, i]) over its inputs (D41).

    Weaknesses: inputs must be Boolean; the logarithm makes gradients large where an input is false.

    Example:
        >>> unit = NLRL(2, 1)
        >>> unit.assign(negation=torch.tensor([[0.0, 1.0]]), weight=torch.ones(1, 2), output=torch.zeros(1))
        >>> unit.expression(["a", "b"])
        [a*(1 - b)]
    """

    name = "NLRL"
    source = NLRL_PAPER
    operations = ("and", "or", "not")
    domain = (0.0, 1.0)

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        form: str = "full",
        output_gates: str = "one",
        **factory: Unpack[Factory],
    ) -> None:
        super().__init__(in_features, out_features, **factory)
        self.form = one_of("form", form, ("full", "conjunction", "disjunction"))
        self.output_gates = one_of("output_gates", output_gates, ("one", "per input"))
        gates = (out_features,) if output_gates == "one" else (out_features, in_features)
        self.negation_hat = nn.Parameter(torch.empty(out_features, in_features))
        self.weight_hat = nn.Parameter(torch.empty(out_features, in_features))
        self.output_hat = nn.Parameter(torch.empty(gates))
        self.declared = {name: Weight(BINARY, pulled_to=BINARY) for name in HATS}
        self.reset_parameters()

    def reset_parameters(self) -> None:
        r = xavier_range(self.in_features, self.out_features)
        for parameter in (self.negation_hat, self.weight_hat, self.output_hat):
            nn.init.uniform_(parameter, -r, r)

    @property
    def negation(self) -> Tensor:
        """N = σ(N̂): which inputs are negated."""
        return self.negation_hat.sigmoid()

    @property
    def weight(self) -> Tensor:
        """A = σ(Â): which inputs take part."""
        return self.weight_hat.sigmoid()

    @property
    def output(self) -> Tensor:
        """G = σ(Ĝ): OR instead of AND, or, in the forms with one of them, its negation."""
        return self.output_hat.sigmoid()

    def assign(self, **weights: Tensor) -> None:
        super().assign(
            **{
                HATS.get(name, name): logits(value) if name in HATS else value
                for name, value in weights.items()
            }
        )

    def forward(self, x: Tensor) -> Tensor:
        x, negation, weight = x.unsqueeze(-2), self.negation, self.weight
        literal = (1 - negation) * x + negation * (1 - x)
        gate = self.output if self.output_gates == "one" else self.output.mean(dim=-1)
        closed = disjunction(weight * literal) if self.form == "disjunction" else conjunction(literal, weight)
        opened = disjunction(weight * literal) if self.form == "full" else 1 - closed
        return (1 - gate) * closed + gate * opened

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        rows = zip(weights["negation"], weights["weight"], weights["output"], strict=True)
        return [self._rule(inputs, negation, weight, output) for negation, weight, output in rows]

    def _rule(self, inputs: Sequence[sympy.Expr], negation: Any, weight: Any, output: Any) -> sympy.Expr:
        import sympy

        literals = [(1 - n) * x + n * (1 - x) for n, x in zip(negation, inputs, strict=True)]
        pairs = list(zip(weight, literals, strict=True))
        all_of = sympy.Mul(*((x if a == 1 else sympy.Abs(x)) ** a for a, x in pairs))
        any_of = 1 - sympy.Mul(*(1 - a * x for a, x in pairs))
        gate = output if self.output_gates == "one" else sympy.Add(*output) / self.in_features
        closed = any_of if self.form == "disjunction" else all_of
        opened = any_of if self.form == "full" else 1 - closed
        return (1 - gate) * closed + gate * opened

    def rules(self, inputs: Sequence[Boolean]) -> list[Boolean]:
        """What the outputs are in sympy's logic, with every weight and gate moved to 0 or 1.

        Example:
            >>> unit = NLRL(2, 1, form="conjunction")
            >>> unit.assign(negation=torch.tensor([[0.0, 1.0]]), weight=torch.ones(1, 2))
            >>> unit.assign(output=torch.ones(1))
            >>> unit.rules(sympy.symbols("a b"))
            [~(a & ~b)]
        """
        import sympy

        rounded = {name: weight.bool().tolist() for name, weight in self.rounded_weights().items()}
        gates = rounded["output"]
        if self.output_gates == "per input":
            gates = (self.output.mean(dim=-1) >= 0.5).tolist()
        rules = []
        for negation, weight, gate in zip(rounded["negation"], rounded["weight"], gates, strict=True):
            triples = zip(inputs, negation, weight, strict=True)
            literals = [sympy.Not(x) if negated else x for x, negated, taken in triples if taken]
            either = self.form == "disjunction" or (self.form == "full" and gate)
            rule = sympy.Or(*literals) if either else sympy.And(*literals)
            rules.append(sympy.Not(rule) if gate and self.form != "full" else rule)
        return rules
