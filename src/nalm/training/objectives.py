"""What is differentiated and what is evaluated of one run's network, as modules for `functional_call`."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from nalm.networks.model import penalties, sparsity_error
from nalm.networks.stack import Stack
from nalm.training.grid import Structure
from nalm.training.losses import LOSSES


class Objective(nn.Module):
    """Loss plus penalties of one run on one batch; `loss` says which of the structure's losses it is."""

    def __init__(self, network: Stack, structure: Structure) -> None:
        super().__init__()
        self.network = network
        self.losses = [LOSSES[name] for name in structure.losses]
        self.terms = structure.terms

    def forward(
        self, x: Tensor, y: Tensor, noise: dict[int, Tensor], coefficients: Tensor, loss: Tensor
    ) -> Tensor:
        given = [noise.get(index) for index in range(len(self.network.layers))]
        prediction = self.network(x, given)[..., 0]
        total = self._loss(prediction, y, loss)
        if self.terms:
            values = penalties(self.network)
            for index, term in enumerate(self.terms):
                total = total + coefficients[index] * values[term]
        return total

    def _loss(self, prediction: Tensor, y: Tensor, loss: Tensor) -> Tensor:
        if len(self.losses) == 1:
            return self.losses[0](prediction, y)
        total = prediction.new_zeros(())
        for index, function in enumerate(self.losses):
            # Other losses see no errors: an infinite one times zero would spoil the gradient.
            harmless = torch.where(loss == index, prediction, y)
            total = torch.where(loss == index, function(harmless, y), total)
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
