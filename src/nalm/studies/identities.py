"""The identities of many seeds of a cell, a hundred times as fast as one by one."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from nalm.studies.study import Budget, Cell, find_budget

if TYPE_CHECKING:
    import pandas as pd

PLACE = 2_000_010_007
"""A seed that no other number of a configuration is likely to equal."""


def identities(cell: Cell, budget: Budget, seeds: Iterable[int]) -> dict[str, int]:
    """Identity to seed. Configurations of one cell differ by their seed alone, so only that is replaced.

    Example:
        >>> from nalm.studies.single_module import SINGLE_MODULE
        >>> from nalm.studies.study import BUDGETS
        >>> cell, full = SINGLE_MODULE.cells[0], BUDGETS["full"]
        >>> identities(cell, full, [3]) == {cell.run(full, 3).identity: 3}
        True
    """
    identity = _identity_by_seed(cell, budget)
    return {identity(seed): seed for seed in seeds}


def seeds_by_identity(
    cells: Iterable[Cell], budget: Budget, seeds: Iterable[int]
) -> dict[str, list[tuple[Cell, int]]]:
    """Identity to all the cells and seeds it belongs to: two settings may share a run."""
    seeds = list(seeds)
    found: dict[str, list[tuple[Cell, int]]] = {}
    for cell in cells:
        for identity, seed in identities(cell, budget, seeds).items():
            found.setdefault(identity, []).append((cell, seed))
    return found


@functools.cache
def _identity_by_seed(cell: Cell, budget: Budget) -> Callable[[int], str]:
    text = json.dumps(cell.run(budget, PLACE).configuration, sort_keys=True, separators=(",", ":"))
    before, found, after = text.partition(f'"seed":{PLACE}')
    begun, end = hashlib.sha256(before.encode()), after.encode()

    def identity(seed: int) -> str:
        whole = begun.copy()
        whole.update(f'"seed":{seed}'.encode() + end)
        return whole.hexdigest()

    # Should the configuration hold the seed elsewhere too, or nowhere, each run says for itself.
    once = found and str(PLACE) not in before + after
    return identity if once else lambda seed: cell.run(budget, seed).identity


def counting_runs(frame: pd.DataFrame) -> dict[int, list[tuple[Budget, list[int]]]]:
    """Of stored runs, by number of inputs, the budgets and seeds to look for.

    Only budgets that are the whole of the published training, or its first part, say anything about it.
    """
    found: dict[int, list[tuple[Budget, list[int]]]] = {}
    for (inputs, name), rows in frame.groupby(["inputs", "budget"]):
        try:
            budget = find_budget(str(name))
        except ValueError:
            continue
        if budget.unchanged:
            seeds = sorted(int(seed) for seed in rows["seed"].unique())
            found.setdefault(int(str(inputs)), []).append((budget, seeds))
    return found
