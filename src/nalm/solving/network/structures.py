"""Which simpler functions a network contains, simplest first, and the fit each of them calls for."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from nalm.solving.network.algebra import Fit, fit_powers, fit_sums
from nalm.solving.network.embedding import LayerForm, LayerGroup, layer_groups
from nalm.solving.network.limits import SearchLimits
from nalm.solving.network.products import products_of_sums
from nalm.solving.network.random_starts import fit_from_random_starts
from nalm.solving.network.samples import FitSamples
from nalm.units.forms import Kind


def active_groups(slots: Sequence[LayerForm]) -> Iterator[tuple[LayerGroup, ...]]:
    """The runs that may do the work while all others pass values on, fewest first.

    Two runs of the same kind with only an idle one between them are no more than one run, and left out.
    """
    everything = layer_groups(slots)
    for count in range(1, len(everything) + 1):
        for chosen in itertools.combinations(everything, count):
            if all(a.kind is not b.kind for a, b in itertools.pairwise(chosen)):
                yield chosen


def fits_of(
    pattern: tuple[LayerGroup, ...], slots: Sequence[LayerForm], data: FitSamples, limits: SearchLimits
) -> Iterator[Fit]:
    """Fits of a pattern, by algebra where there is some."""
    kinds = tuple(run.kind for run in pattern)
    allowed = tuple(run.allowed for run in pattern)
    if len(pattern) == 1:
        return fit_sums(data, *allowed) if kinds[0] is Kind.SUM else fit_powers(data, kinds[0], *allowed)
    widths = tuple(
        min(slot.outputs for slot in slots[here.last : following.first])
        for here, following in itertools.pairwise(pattern)
    )
    if len(pattern) == 2 and kinds[0] is Kind.SUM:
        return products_of_sums(data, kinds[1], allowed[0], allowed[1], widths[0], limits)
    return fit_from_random_starts(data, kinds, widths, allowed, limits)
