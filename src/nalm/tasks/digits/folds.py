"""Pairs of digits that training never sees."""

from __future__ import annotations

import numpy as np


def folds(pairs: int, count: int, seed: int = 0) -> list[np.ndarray]:
    """The test pairs of every fold: shuffled once, then cut; the first ones are larger by a pair if need be.

    The same as `sklearn.model_selection.KFold(count, shuffle=True, random_state=seed)`, as published.

    Example:
        >>> [len(fold) for fold in folds(81, 10)]
        [9, 8, 8, 8, 8, 8, 8, 8, 8, 8]
    """
    if not 2 <= count <= pairs:
        raise ValueError(f"{pairs} pairs can be cut into 2 to {pairs} folds, not {count}")
    order = np.arange(pairs)
    np.random.RandomState(seed).shuffle(order)
    return [np.sort(part) for part in np.array_split(order, count)]
