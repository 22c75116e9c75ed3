"""Convolution, 2 × 2 max pooling and ReLU in one: the gradient looks only at what the pool let through.

A max pool passes a gradient to one result in four, ReLU and dropout stop many of these, and the usual
backward pass of a convolution multiplies all the zeros. `pooled.c` visits the others only: at a quarter of
the multiplications or less, the two backward passes of a convolution cost about as much as the forward one.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import resources
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd.function import FunctionCtx, once_differentiable

from nalm.compiler import NoCompiler
from nalm.compiler.build import Building

LANES = 8
"""Numbers in a vector of `pooled.c`."""
WIDEST = 64
"""Results in a row of the pool for which it has room."""

_wanted: ContextVar[bool] = ContextVar("sparse_backward", default=False)


@contextmanager
def sparse_backward() -> Iterator[None]:
    """Inside, `convolve_and_pool` uses the compiled gradient where it can: CPU, float32, a C compiler.

    It cannot be differentiated twice, mapped over or exported, so it is not used unless asked for.

    Example:
        >>> from nalm.networks.vision import DigitRegressor, sparse_backward
        >>> network = DigitRegressor()
        >>> with sparse_backward():
        ...     network(torch.zeros(2, 28, 28)).sum().backward()
        >>> network.conv1.weight.grad.shape
        torch.Size([20, 1, 5, 5])
    """
    token = _wanted.set(True)
    try:
        yield
    finally:
        _wanted.reset(token)


def convolve_and_pool(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """relu(max_pool(conv(x))), with a square kernel and a pool of 2 × 2: [n, I, h, w] to [n, O, h′/2, w′/2].

    Example:
        >>> x, weight, bias = torch.ones(1, 1, 4, 4), torch.ones(2, 1, 3, 3), torch.tensor([0.0, -10.0])
        >>> convolve_and_pool(x, weight, bias).tolist()
        [[[[9.0]], [[0.0]]]]
    """
    if _usable(x, weight):
        found: Tensor = _Pooled.apply(x, weight, bias)
        return found
    return F.max_pool2d(F.conv2d(x, weight, bias), 2).relu()


def _usable(x: Tensor, weight: Tensor) -> bool:
    if not (_wanted.get() and torch.is_grad_enabled() and weight.requires_grad):
        return False
    plain = x.device.type == "cpu" and x.dtype == weight.dtype == torch.float32
    return plain and x.shape[-1] <= 2 * WIDEST and _library(*weight.shape[:3]) is not None


@functools.cache
def _library(outputs: int, inputs: int, kernel: int) -> ctypes.CDLL | None:
    """The code for a shape of kernels; `None` without a compiler."""
    sizes = f"#define INPUTS {inputs}\n#define OUTPUTS {outputs}\n#define KERNEL {kernel}\n"
    source = resources.files("nalm.networks.vision").joinpath("pooled.c").read_text()
    try:
        return Building(sizes + source, ("-O3",)).library()
    except NoCompiler:
        return None


def _call(weight: Tensor, name: str, sizes: tuple[int, ...], *tensors: Tensor | None) -> None:
    library = _library(*weight.shape[:3])
    assert library is not None
    places = (ctypes.c_void_p(None if tensor is None else tensor.data_ptr()) for tensor in tensors)
    getattr(library, name)(*map(ctypes.c_long, sizes), *places)


def _last(x: Tensor) -> Tensor:
    """The same numbers with their channels last in memory."""
    return x.contiguous(memory_format=torch.channels_last)


class _Pooled(torch.autograd.Function):
    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        x, weight = _last(x), _last(weight)
        results = _last(F.conv2d(x, weight, bias))
        n, outputs, height, width = results.shape
        shape = (n, outputs, height // 2, width // 2)
        largest = torch.empty(shape, memory_format=torch.channels_last)
        which = torch.empty(n, height // 2, width // 2, outputs, dtype=torch.uint8)
        _call(weight, "pool", (n, height, width), results, largest, which)
        ctx.save_for_backward(x, weight, which)
        return largest

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, Tensor, Tensor]:
        x, weight, which = ctx.saved_tensors
        outputs, inputs, kernel, _ = weight.shape
        n, _, height, width = x.shape
        row = kernel * inputs
        spare = -row % LANES
        # Rows of kernels are read in whole vectors: what is behind them must be there to be read.
        given = F.pad(x.permute(0, 2, 3, 1).flatten(), (0, spare)) if spare else x
        rows = F.pad(weight.permute(0, 2, 3, 1).reshape(outputs, kernel, row), (0, spare))
        dx = x.new_zeros(x.numel() + spare) if ctx.needs_input_grad[0] else None
        dweight, dbias = torch.zeros_like(rows), torch.zeros(outputs)
        _call(
            weight, "back", (n, height, width), given, rows, _last(gradient), which, dx, dweight, dbias
        )  # fmt: skip
        if dx is not None:
            dx = dx[: x.numel()].view(n, height, width, inputs).permute(0, 3, 1, 2)
        dweight = dweight[..., :row].reshape(outputs, kernel, kernel, inputs).permute(0, 3, 1, 2)
        return dx, dweight, dbias
