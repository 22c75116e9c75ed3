"""Sums and powers in a row: the relaxation that stands in for a stack of units, with closed-form derivatives.

Matrices have shape [..., O, I] with any leading dimensions (restarts), inputs [N, I], outputs [..., N, O].
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from nalm.units.forms import Kind

SMALLEST = 1e-300
"""|x| before its logarithm: ln stays finite at zero, and 0¹ stays 0."""


@dataclass(frozen=True)
class Chain:
    """A function of x given by one kind and one matrix per layer, first layer first.

    Example:
        >>> sums = torch.tensor([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
        >>> ratio = Chain((Kind.SUM, Kind.POWER), (sums, torch.tensor([[1.0, -1.0]])))
        >>> ratio(torch.tensor([[2.0, 4.0, -3.0]]))
        tensor([[-2.]])
    """

    kinds: tuple[Kind, ...]
    matrices: tuple[Tensor, ...]

    def __call__(self, x: Tensor) -> Tensor:
        for kind, matrix in zip(self.kinds, self.matrices, strict=True):
            x = _apply(kind, matrix, x)
        return x

    def linearise(self, x: Tensor, learnt: Sequence[bool] | None = None) -> tuple[Tensor, Tensor]:
        """Outputs [..., N, O] and derivatives [..., N, O, P] by the entries of the learnt matrices."""
        learnt = [True] * len(self.matrices) if learnt is None else learnt
        inputs, values = self._trace(x)
        blocks: list[Tensor] = []
        slope = self._identity(values)
        for index in reversed(range(len(self.matrices))):
            kind, matrix, before, after = (
                self.kinds[index],
                self.matrices[index],
                inputs[index],
                values[index],
            )
            if learnt[index]:
                blocks.insert(0, (slope.unsqueeze(-1) * _by_matrix(kind, matrix, before, after)).flatten(-2))
            if any(learnt[:index]):
                slope = _through(kind, matrix, before, slope)
        return values[-1], torch.cat(blocks, dim=-1)

    def predict(self, x: Tensor) -> Tensor:
        """The output [N] of a chain that has one."""
        return self(x).squeeze(-1)

    def rounding(self, x: Tensor, y: Tensor) -> Tensor:
        """|y| + Σ_i |∂y/∂x_i|·|x_i|, which times a relative rounding bounds the error, to first order."""
        return y.abs() + (self.by_input(x).squeeze(-2) * x).abs().sum(dim=-1)

    def by_input(self, x: Tensor) -> Tensor:
        """Derivatives [N, O, I] of the outputs by the inputs."""
        inputs, values = self._trace(x)
        slope = self._identity(values)
        for index in reversed(range(len(self.matrices))):
            slope = _through(self.kinds[index], self.matrices[index], inputs[index], slope)
        return slope

    def _trace(self, x: Tensor) -> tuple[list[Tensor], list[Tensor]]:
        inputs, values = [], []
        for kind, matrix in zip(self.kinds, self.matrices, strict=True):
            inputs.append(x)
            x = _apply(kind, matrix, x)
            values.append(x)
        return inputs, values

    @staticmethod
    def _identity(values: list[Tensor]) -> Tensor:
        outputs = values[-1].shape[-1]
        eye = torch.eye(outputs, dtype=values[-1].dtype)
        return eye.expand(*values[-1].shape[:-1], outputs, outputs)


def _logarithm(x: Tensor) -> Tensor:
    return x.abs().clamp_min(SMALLEST).log()


def _angle(matrix: Tensor, x: Tensor) -> Tensor:
    return math.pi * ((x < 0).to(x.dtype) @ matrix.mT)


def _apply(kind: Kind, matrix: Tensor, x: Tensor) -> Tensor:
    if kind is Kind.SUM:
        return x @ matrix.mT
    size = (_logarithm(x) @ matrix.mT).exp()
    return size * _angle(matrix, x).cos() if kind is Kind.POWER else size


def _by_matrix(kind: Kind, matrix: Tensor, x: Tensor, value: Tensor) -> Tensor:
    """∂y_o/∂M[o, i], shaped [..., N, 1, O, I]: the second to last but one is for the chain's outputs."""
    if kind is Kind.SUM:
        return x.unsqueeze(-2).unsqueeze(-3)
    log = _logarithm(x)
    derivative = value.unsqueeze(-1) * log.unsqueeze(-2)
    if kind is Kind.POWER:
        turned = (log @ matrix.mT).exp() * _angle(matrix, x).sin()
        derivative = derivative - math.pi * turned.unsqueeze(-1) * (x < 0).to(x.dtype).unsqueeze(-2)
    return derivative.unsqueeze(-3)


def _through(kind: Kind, matrix: Tensor, x: Tensor, slope: Tensor) -> Tensor:
    """Σ_o slope_o·∂y_o/∂x_i: from derivatives by outputs [..., N, Q, O] to those by inputs [..., N, Q, I]."""
    if kind is Kind.SUM:
        return slope @ matrix.unsqueeze(-3)
    log = _logarithm(x)
    # The factor x_i leaves the product in the logarithm, so that its derivative is right where x_i is 0.
    others = ((log @ matrix.mT).unsqueeze(-1) - log.unsqueeze(-2)).exp()
    if kind is Kind.POWER:
        others = others * _angle(matrix, x).cos().unsqueeze(-1)
    sign = torch.where(x < 0, -1.0, 1.0).to(x.dtype)
    # A matrix entry of 0 removes the input altogether, even one that is 0 (0·∞).
    local = torch.where(matrix.unsqueeze(-3) == 0, 0.0, matrix.unsqueeze(-3) * others) * sign.unsqueeze(-2)
    return slope @ local
