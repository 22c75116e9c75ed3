"""Random numbers of a seed: the streams that `Drawn` numbers come from.

A counter-based generator has no state, so a number depends on (seed, stream, iteration, index) alone.
Threefry makes them; where an iteration takes thousands, it starts sixteen lanes of xoshiro128++ instead.

References: Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011;
Blackman & Vigna, "Scrambled linear pseudorandom number generators", TOMS 2021.
"""

from __future__ import annotations

import ctypes
import math

import torch
from torch import Tensor

from nalm.compiler import threefry
from nalm.compiler.build import compiler, runtime
from nalm.compiler.lanes import LANES


def uniforms(seeds: Tensor, stream: int, start: int, iterations: int, count: int) -> Tensor:
    """`count` numbers on [0, 1) per iteration and seed, with the 24 bits a float32 holds.

    Args:
        seeds: integers, one per row.
        stream: which of a seed's streams.
        start: the first iteration.
        iterations: how many.
        count: numbers per iteration.

    Returns:
        float32 of shape [iterations, seeds, count].
    """
    if compiler() is None:
        return threefry.uniforms(seeds, stream, start, iterations, count)
    return _numbers(seeds, stream, start, iterations, count, False)


def normals(seeds: Tensor, stream: int, start: int, iterations: int, count: int) -> Tensor:
    """`count` standard normals per iteration and seed, by the Box–Muller transform."""
    if compiler() is None:
        u = threefry.uniforms(seeds, stream, start, iterations, 2 * count)
        radius = torch.sqrt(-2 * torch.log1p(-u[..., :count]))
        return radius * torch.cos(2 * math.pi * u[..., count:])
    return _numbers(seeds, stream, start, iterations, count, True)


def _numbers(seeds: Tensor, stream: int, start: int, iterations: int, count: int, normal: bool) -> Tensor:
    keys = seeds.to(torch.int32).contiguous()
    out = torch.empty(iterations, len(keys), count)
    lanes = torch.empty(3 * max(1, count), LANES)
    number, word = ctypes.c_long, ctypes.c_uint32
    runtime().nalm_numbers(
        ctypes.c_void_p(keys.data_ptr()),
        number(len(keys)),
        word(stream),
        word(start),
        number(iterations),
        number(count),
        ctypes.c_int(normal),
        ctypes.c_void_p(lanes.data_ptr()),
        ctypes.c_void_p(out.data_ptr()),
    )
    return out
