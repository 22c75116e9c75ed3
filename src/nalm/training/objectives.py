"""What is differentiated and what is evaluated of one run's network, as modules for `functional_call`."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from nalm.networks.model import penalties, sparsity_error
from nalm.networks.stack import Stack
from nalm.training.grid import Structure
from nalm.training.losses import LOSSES


class Objective(nn.Module):
    """Loss plus penalties of one run on one batch."""

    def __init__(self, network: Stack, structure: Structure) -> None:
        super().__init__()
        self.network = network
        self.losses = [LOSSES[name] for name in structure.losses]
        self.terms = structure.terms

    def forward(
        self, x: Tensor, y: Tensor, noise: dict[int, Tensor], coefficients: Tensor, later: Tensor
    ) -> Tensor:
        given = [noise.get(index) for index in range(len(self.network.layers))]
        prediction = self.network(x, given)[..., 0]
        total = self.losses[0](prediction, y)
        if len(self.losses) > 1:
            total = torch.where(later, self.losses[1](prediction, y), total)
        if self.terms:
            values = penalties(self.network)
            for index, term in enumerate(self.terms):
                total = total + coefficients[index] * values[term]
        return total


class Error(nn.Module):
    """Mean squared error of one run."""

    def __init__(self, network: Stack) -> None:
        super().__init__()
        self.network = network

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return (self.network(x)[..., 0] - y).square().mean()


class SparsityError(nn.Module):
    """Sparsity error of one run."""

    def __init__(self, network: Stack) -> None:
        super().__init__()
        self.network = network

    def forward(self) -> Tensor:
        return sparsity_error(self.network)
