"""Batches of tasks with many inputs, made outside the compiled code: samples and the operands in them."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from nalm.training.native import library
from nalm.training.streams import DATA, LONGEST_SHORT, uniforms


class Sampler:
    """Samples low + width·u of a chunk of runs, and the sums that are their two operands.

    One pass makes both while a sample is in the cache, and every iteration uses the same memory again: it
    stays in the cache until the iteration has read it.

    Args:
        seeds: int32, [runs].
        settings: of the runs: `sampling.low` and `sampling.width` [runs, inputs], `operands`
            [runs, 2, inputs], and `for_zero` [runs], which stands in for a sample of exactly 0.
        batch_size: samples per iteration.

    `settings["busy"]` says how many runs get samples; the others, idle places, have ones throughout.
    """

    def __init__(self, seeds: Tensor, settings: Mapping[str, Tensor], batch_size: int) -> None:
        names = ("sampling.low", "sampling.width", "for_zero", "operands")
        self.seeds = seeds
        self.settings = [settings[name].contiguous() for name in names]
        self.busy = int(settings["busy"])
        runs, inputs = self.settings[0].shape
        self.x = torch.ones(runs, inputs, batch_size)
        self.operands = torch.ones(2, runs, batch_size)

    def batch(self, iteration: int) -> tuple[Tensor, Tensor, Tensor]:
        """Inputs [runs, inputs, batch] and both operands [runs, batch], valid until the next call."""
        built = library()
        if built is None:
            self._batch_in_torch(iteration)
        else:
            rows = self.seeds.data_ptr(), len(self.seeds), DATA, iteration, self.busy
            pointers = (tensor.data_ptr() for tensor in (*self.settings, self.x, self.operands))
            built.nalm_samples(*rows, *self.x.shape[1:], LONGEST_SHORT, *pointers)
        return self.x, self.operands[0], self.operands[1]

    def _batch_in_torch(self, iteration: int) -> None:
        low, width, for_zero, operands = (setting[: self.busy] for setting in self.settings)
        u = uniforms(self.seeds[: self.busy], DATA, iteration, 1, self.x[0].numel())
        x = low[..., None] + width[..., None] * u.view_as(self.x[: self.busy])
        self.x[: self.busy] = torch.where(x == 0, for_zero[:, None, None], x)
        self.operands[:, : self.busy] = torch.einsum("rib,rki->krb", self.x[: self.busy], operands)
