"""Weighted sums over many inputs, of all runs of a chunk in one call.

BLAS is made for larger matrices: on the batches of a chunk, with the inputs before the batch in memory, a
plain loop is several times faster. `WideSums` puts it in the place of `torch.nn.functional.linear`. Only the
first `busy` runs are summed up; the others, idle places of a chunk, are 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

from nalm.training.native import library

_operators = torch.library.Library("nalm", "DEF")
_operators.define("weighted_sums(Tensor x, Tensor weight, Tensor busy) -> Tensor")
_operators.define("weight_gradients(Tensor x, Tensor upstream, Tensor busy) -> Tensor")


def weighted_sums(x: Tensor, weight: Tensor, busy: Tensor) -> Tensor:
    """Σᵢ weight[r, o, i]·x[r, i, b] for every busy run r: [runs, outputs, batch]."""
    built = library()
    if built is None:
        return _where_busy(torch.bmm(weight, x), busy)
    return _call(built.nalm_weighted_sums, x, weight, busy, last=2)


def weight_gradients(x: Tensor, upstream: Tensor, busy: Tensor) -> Tensor:
    """Σ_b upstream[r, o, b]·x[r, i, b], the gradient of the weights: [runs, outputs, inputs]."""
    built = library()
    if built is None:
        return _where_busy(torch.bmm(upstream, x.mT), busy)
    return _call(built.nalm_weight_gradients, x, upstream, busy, last=1)


def _where_busy(values: Tensor, busy: Tensor) -> Tensor:
    return torch.where(torch.arange(len(values))[:, None, None] < busy, values, 0.0)


def _call(kernel: Callable[..., None], x: Tensor, other: Tensor, busy: Tensor, last: int) -> Tensor:
    """The result of a kernel, [runs, outputs, as many as x has in its dimension `last`]."""
    x, other = x.contiguous(), other.contiguous()
    (runs, inputs, batch), outputs = x.shape, other.shape[1]
    result = x.new_zeros(runs, outputs, x.shape[last])
    pointers = (tensor.data_ptr() for tensor in (x, other, result))
    kernel(min(int(busy), runs), outputs, inputs, batch, *pointers)
    return result


def _register(name: str, function: Callable[..., Tensor], last: int) -> None:
    """Make an operator of a function, for tensors, for the compiler's shapes, and under `vmap` over runs."""
    operator = getattr(torch.ops.nalm, name)
    torch.library.impl(f"nalm::{name}", "CPU", lib=_operators)(function)

    def shaped(x: Tensor, other: Tensor, busy: Tensor) -> Tensor:
        return x.new_empty(x.shape[0], other.shape[1], x.shape[last])

    def over_runs(info: Any, dims: tuple[int | None, ...], x: Tensor, other: Tensor, busy: Tensor) -> Any:
        if dims[0] is None and dims[1] is not None and len(x) == 1:
            # Many networks on the same samples are one network with all their neurons.
            weights = other.movedim(dims[1], 0)
            sums = operator(x, weights.reshape(1, -1, weights.shape[-1]), busy)
            return sums.view(info.batch_size, 1, -1, sums.shape[-1]), 0
        x, other = (
            tensor.movedim(dim, 0) if dim is not None else tensor.expand(info.batch_size, *tensor.shape)
            for tensor, dim in zip((x, other), dims[:2], strict=True)
        )
        result = operator(x.flatten(0, 1), other.flatten(0, 1), busy)
        return result.unflatten(0, (info.batch_size, -1)), 0

    torch.library.register_fake(f"nalm::{name}", shaped, lib=_operators)
    torch.library.register_vmap(f"nalm::{name}", over_runs, lib=_operators)


_register("weighted_sums", weighted_sums, last=2)
_register("weight_gradients", weight_gradients, last=1)


class _WeightGradients(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, upstream: Tensor, busy: Tensor) -> Tensor:
        return torch.ops.nalm.weight_gradients(x, upstream, busy)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> Any:
        raise NotImplementedError("the engine's sums over many inputs have no second derivative")


class _WeightedSums(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, weight: Tensor, busy: Tensor) -> Tensor:
        return torch.ops.nalm.weighted_sums(x, weight, busy)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> Any:
        x, weight, busy = ctx.saved_tensors
        return weight.mT @ upstream[0], _WeightGradients.apply(x, upstream[0], busy), None


class WideSums(TorchFunctionMode):
    """Inside it, `torch.nn.functional.linear` of so many inputs is `weighted_sums`.

    Args:
        inputs: the length that is meant.
        busy: how many runs are summed up, a tensor because compiled code serves chunks with any number.
    """

    def __init__(self, inputs: int, busy: Tensor) -> None:
        super().__init__()
        self.inputs, self.busy = inputs, busy

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is F.linear and args[0].shape[-1] == self.inputs and not kwargs:
            x, weight, *bias = args
            sums = _WeightedSums.apply(x.mT[None], weight[None], self.busy)[0].mT
            return sums if bias in ([], [None]) else sums + bias[0]
        return func(*args, **(kwargs or {}))
