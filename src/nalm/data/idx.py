"""The IDX format: a magic number, the sizes of the dimensions, then one byte per number."""

from __future__ import annotations

import math
import struct

import numpy as np

UNSIGNED_BYTE = 0x08


def read_idx(content: bytes) -> np.ndarray:
    """The array in an IDX file of unsigned bytes.

    Example:
        >>> read_idx(bytes([0, 0, 8, 1, 0, 0, 0, 3, 7, 8, 9]))
        array([7, 8, 9], dtype=uint8)
    """
    if len(content) < 4 or content[:2] != b"\0\0" or content[2] != UNSIGNED_BYTE:
        raise ValueError("it does not start as an IDX file of unsigned bytes does")
    dimensions = content[3]
    start = 4 + 4 * dimensions
    if len(content) < start:
        raise ValueError("it ends inside its header")
    shape = struct.unpack(f">{dimensions}I", content[4:start])
    if len(content) - start != math.prod(shape):
        raise ValueError(f"it should hold {math.prod(shape)} numbers and holds {len(content) - start}")
    return np.frombuffer(content, np.uint8, offset=start).reshape(shape)
