"""Which simpler functions a network contains, simplest first, and the fit each of them calls for."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from nalm.solving.data import Data
from nalm.solving.embedding import Run, Slot, runs
from nalm.solving.factors import products_of_sums
from nalm.solving.fits import Fit, powers, sums
from nalm.solving.relaxed import relaxed
from nalm.solving.search import Search
from nalm.units.forms import Kind


def patterns(slots: Sequence[Slot]) -> Iterator[tuple[Run, ...]]:
    """The runs that may do the work while all others pass values on, fewest first.

    Two runs of the same kind with only an idle one between them are no more than one run, and left out.
    """
    everything = runs(slots)
    for count in range(1, len(everything) + 1):
        for chosen in itertools.combinations(everything, count):
            if all(a.kind is not b.kind for a, b in itertools.pairwise(chosen)):
                yield chosen


def fits(pattern: tuple[Run, ...], slots: Sequence[Slot], data: Data, search: Search) -> Iterator[Fit]:
    """Fits of a pattern, by algebra where there is some."""
    kinds = tuple(run.kind for run in pattern)
    allowed = tuple(run.allowed for run in pattern)
    if len(pattern) == 1:
        return sums(data, *allowed) if kinds[0] is Kind.SUM else powers(data, kinds[0], *allowed)
    widths = tuple(
        min(slot.outputs for slot in slots[here.last : following.first])
        for here, following in itertools.pairwise(pattern)
    )
    if len(pattern) == 2 and kinds[0] is Kind.SUM:
        return products_of_sums(data, kinds[1], allowed[0], allowed[1], widths[0], search)
    return relaxed(data, kinds, widths, allowed, search)
