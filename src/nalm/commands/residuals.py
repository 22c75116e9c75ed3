"""A plot of residuals in text, for terminals."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SHADES = " ·:oO@"
"""Characters for none, few and many rows."""


def residual_plot(
    predicted: NDArray[np.float64], residual: NDArray[np.float64], *, width: int = 60, height: int = 11
) -> str:
    """Residuals against predictions, with zero in the middle line; darker characters stand for more rows.

    Example:
        >>> print(residual_plot(np.array([0.0, 1.0]), np.array([-1.0, 1.0]), width=11, height=3))
               1 |          ·
               0 |-----------
              -1 |·
                  0         1
    """
    size = float(np.abs(residual).max(initial=0.0))
    low, high = float(predicted.min()), float(predicted.max())
    across = np.zeros(len(predicted), dtype=int)
    if high > low:
        across = np.rint((predicted - low) / (high - low) * (width - 1)).astype(int)
    height = height if size > 0 else 1
    up = np.zeros(len(predicted), dtype=int)
    if size > 0:
        up = np.rint((1 - residual / size) / 2 * (height - 1)).astype(int)
    counts = np.zeros((height, width), dtype=int)
    np.add.at(counts, (up, across), 1)
    levels = np.ceil(np.log2(counts + 1)).astype(int)
    top = max(int(levels.max()), 1)
    shades = np.where(counts > 0, 1 + (levels - 1) * (len(SHADES) - 2) // max(top - 1, 1), 0)
    marks = {row: f"{mark:.3g}" for row, mark in ((0, size), (height - 1, -size), (height // 2, 0.0))}
    margin = max(8, *map(len, marks.values()))
    lines = []
    for row in range(height):
        characters = "".join(SHADES[shade] for shade in shades[row])
        if row == height // 2:
            characters = characters.replace(" ", "-")
        lines.append(f"{marks.get(row, ''):>{margin}} |{characters}".rstrip())
    ends = f"{low:.4g}", f"{high:.4g}"
    lines.append(" " * (margin + 2) + ends[0] + ends[1].rjust(max(width - len(ends[0]), len(ends[1]) + 1)))
    return "\n".join(lines)
