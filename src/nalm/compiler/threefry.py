"""The random numbers of `nalm.compiler.streams` in plain torch, for machines without a C compiler.

References: Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011;
Blackman & Vigna, "Scrambled linear pseudorandom number generators", TOMS 2021.
"""

from __future__ import annotations

import torch
from torch import Tensor

LONGEST_SHORT = 2048
"""Rows of more numbers than this per iteration come from the lanes."""
LANES = 16

_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_PARITY = 0x1BD11BDA


def _rotate(x: Tensor, bits: int) -> Tensor:
    # int32 shifts to the right keep the sign, so the copied sign bits are masked out.
    return (x << bits) | ((x >> (32 - bits)) & ((1 << bits) - 1))


def threefry2x32(key: tuple[Tensor, Tensor], counter: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """Twenty rounds of Threefry-2x32 on int32 tensors that broadcast against each other."""
    k0, k1 = key
    keys = (k0, k1, k0 ^ k1 ^ _PARITY)
    x0, x1 = counter[0] + k0, counter[1] + k1
    for block in range(5):
        for bits in _ROTATIONS[block % 2]:
            x0 = x0 + x1
            x1 = _rotate(x1, bits) ^ x0
        x0 = x0 + keys[(block + 1) % 3]
        x1 = x1 + keys[(block + 2) % 3] + (block + 1)
    return x0, x1


def xoshiro128(state: Tensor, steps: int) -> Tensor:
    """The next words of xoshiro128++ for int32 states [..., 4, lanes]: [..., steps, lanes]."""
    s0, s1, s2, s3 = state.unbind(-2)
    words = []
    for _ in range(steps):
        words.append(_rotate(s0 + s3, 7) + s0)
        shifted = s1 << 9
        s2, s3 = s2 ^ s0, s3 ^ s1
        s1, s0 = s1 ^ s2, s0 ^ s3
        s2, s3 = s2 ^ shifted, _rotate(s3, 11)
    return torch.stack(words, dim=-2)


def uniforms(seeds: Tensor, stream: int, start: int, iterations: int, count: int) -> Tensor:
    """Arguments as of `nalm.compiler.streams.uniforms`."""
    key = seeds[None, :, None]
    iteration = torch.arange(start, start + iterations, dtype=torch.int32)[:, None, None]
    numbers = 4 * LANES if count > LONGEST_SHORT else count
    index = torch.arange((numbers + 1) // 2, dtype=torch.int32)[None, None, :]
    bits = torch.cat(threefry2x32((key, torch.full_like(key, stream)), (iteration, index)), dim=-1)
    if count > LONGEST_SHORT:
        lanes = xoshiro128(bits.unflatten(-1, (4, LANES)), -(-count // LANES))
        bits = lanes.flatten(-2)
    bits = bits[..., :count]
    return ((bits >> 8) & 0xFFFFFF).to(torch.float32) * 2.0**-24
