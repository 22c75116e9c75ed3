"""Batches of tasks with many inputs, made outside the compiled code: samples and the operands in them."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from nalm.training.native import library
from nalm.training.streams import DATA, LONGEST_SHORT, uniforms


class Sampler:
    """Samples low + width·u of a chunk of runs, and the sums that are their two operands.

    One pass makes both while a sample is in the cache; the memory of a block is used again for the next.

    Args:
        seeds: int32, [runs].
        settings: of the runs: `sampling.low` and `sampling.width` [runs, inputs], `operands`
            [runs, 2, inputs], and `for_zero` [runs], which stands in for a sample of exactly 0.
        batch_size: samples per iteration.
        iterations: of a block.

    `settings["busy"]` says how many runs get samples; the others, idle places, have ones throughout.
    """

    def __init__(
        self, seeds: Tensor, settings: Mapping[str, Tensor], batch_size: int, iterations: int
    ) -> None:
        names = ("sampling.low", "sampling.width", "for_zero", "operands")
        self.seeds = seeds
        self.settings = [settings[name].contiguous() for name in names]
        self.iterations = iterations
        self.busy = int(settings["busy"])
        runs, inputs = self.settings[0].shape
        self.x = torch.ones(iterations, runs, inputs, batch_size)
        self.operands = torch.ones(2, iterations, runs, batch_size)

    def block(self, start: int) -> tuple[Tensor, Tensor, Tensor]:
        """Inputs [iterations, runs, inputs, batch] and both operands [iterations, runs, batch]."""
        built = library()
        if built is None:
            numbers = self.x[0, 0].numel()
            u = uniforms(self.seeds, DATA, start, self.iterations, numbers)
            return self._block_in_torch(u.view_as(self.x))
        rows = self.seeds.data_ptr(), len(self.seeds), DATA, start, self.iterations, self.busy
        pointers = (tensor.data_ptr() for tensor in (*self.settings, self.x, self.operands))
        built.nalm_samples(*rows, *self.x.shape[2:], LONGEST_SHORT, *pointers)
        return self.x, self.operands[0], self.operands[1]

    def _block_in_torch(self, u: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        low, width, for_zero, operands = self.settings
        x = low[..., None] + width[..., None] * u
        x = torch.where(x == 0, for_zero[:, None, None], x)
        sums = torch.einsum("trib,rki->ktrb", x, operands)
        self.x[:, : self.busy], self.operands[:, :, : self.busy] = x[:, : self.busy], sums[:, :, : self.busy]
        return self.x, self.operands[0], self.operands[1]
