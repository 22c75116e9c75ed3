"""Restarts that live in a layer: several networks side by side, of which the best counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import torch
from torch import Tensor, nn

from nalm.networks.block import Block, Part, Step, block, find_layer
from nalm.networks.choosing import largest

if TYPE_CHECKING:
    import sympy


@block
class Candidates(Block):
    """Several networks with one output each, trained side by side; the one that errs least counts.

    In training it gives the outputs of all candidates, [candidates, ..., 1], for a loss that broadcasts the
    target over them: each then has its own error and its own gradient, as if it were trained alone, and not
    the error of a mixture, to which all would adapt (Jacobs, Jordan, Nowlan & Hinton 1991). In evaluation it
    gives the output of the candidate that counts, [..., 1].

    Formally, with g_k the gradient of the loss at the outputs of candidate k, the choice c moves to the
    candidate with the smallest one, by the optimiser's step:

        ∂loss/∂c := c − onehot(argmin_k ‖g_k‖²),   y = y_argmax(c)

    so that the layer needs to know neither the target nor the loss. An exact candidate has no gradient left.
    Restarts that share nothing but the data, kept inside the network, are the annealed selector's.

    Weaknesses: a loss whose slope falls where errors are large may prefer a hopeless candidate, as long as
    none is exact. Costs grow with the number of candidates.

    Args:
        in_features: number of inputs.
        out_features: 1.
        parts: the candidates, as (name of a unit or block, options).

    Example:
        >>> layer = Candidates(2, parts=(("NAU", ()), ("NMU", ())))
        >>> for candidate in layer.candidates:
        ...     candidate.assign(weight=torch.ones(1, 2))
        >>> layer(torch.tensor([2.0, 3.0])).tolist()
        [[5.0], [6.0]]
        >>> layer.choose(1)
        >>> layer.eval()(torch.tensor([2.0, 3.0])).tolist(), layer.expression(sympy.symbols("a b"))
        ([6.0], [a*b])
    """

    def __init__(self, in_features: int, out_features: int = 1, *, parts: tuple[Part, ...]) -> None:
        super().__init__(in_features, out_features)
        if out_features != 1:
            raise ValueError(f"Candidates have one output each, got out_features={out_features}")
        if not parts:
            raise ValueError('Candidates need at least one part, as in parts=(("NMU", ()),)')
        self.candidates = nn.ModuleList(
            find_layer(name)(in_features, 1, **dict(options)) for name, options in parts
        )
        self.choice = nn.Parameter(torch.zeros(len(parts)))

    def reset_parameters(self) -> None:
        for candidate in self.candidates:
            cast(Any, candidate).reset_parameters()
        nn.init.zeros_(self.choice)

    def forward(self, x: Tensor) -> Tensor:
        outputs = torch.stack([candidate(self.checked(x)) for candidate in self.candidates])
        if self.training:
            followed: Tensor = LeastGradient.apply(outputs, self.choice)
            return followed
        chosen = largest(self.choice).reshape(-1, *[1] * x.ndim) > 0
        # A candidate that does not count may be infinite, and must not spoil the sum.
        return torch.where(chosen, outputs, 0.0).sum(dim=0)

    @torch.no_grad()
    def choose(self, candidate: int) -> None:
        """Let one candidate count."""
        self.choice.zero_()
        self.choice[candidate] = 1.0

    @property
    def chosen(self) -> int:
        """Which candidate counts."""
        return int(self.choice.argmax())

    def steps(self, symbols: Sequence[sympy.Expr], *, rounded: bool = True) -> list[Step]:
        candidate = cast(Any, self.candidates[self.chosen])
        if isinstance(candidate, Block):
            return candidate.steps(symbols, rounded=rounded)
        own = candidate.expression(symbols, rounded=rounded)
        return [Step(candidate.name, own, own)]


class LeastGradient(torch.autograd.Function):
    """The outputs as they are; in place of a gradient the choice gets its distance from the best one."""

    generate_vmap_rule = True

    @staticmethod
    def forward(outputs: Tensor, choice: Tensor) -> Tensor:
        return outputs.clone()

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        ctx.save_for_backward(inputs[1])

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor]:
        (g,) = gradients
        (choice,) = ctx.saved_tensors
        sizes = g.reshape(len(g), -1).square().sum(dim=1)
        return g, choice - (sizes == sizes.amin()).to(choice.dtype)
