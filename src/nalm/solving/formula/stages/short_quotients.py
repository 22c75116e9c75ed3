"""Short quotients in noise: y = (a·u + a'·u' + …)/(1 − b·v − …), terms chosen as in `short_formulas`.

Multiplied by its denominator a quotient is linear, y = a·u + a'·u' + b·v·y, so that all pairs of a term of
the numerator and one of the denominator are compared by products of matrices. Where 1 − b·v is small the
errors of this equation are, too, whatever they are of y: they are divided by its typical size, and rows of
the few that are followed up each by its own (C. K. Sanathanan and J. Koerner, "Transfer function synthesis as
a ratio of two complex polynomials", IEEE Transactions on Automatic Control 8, 1963).
"""

from __future__ import annotations

import numpy as np

from nalm.solving.formula.stages.short_choices import SHORTLIST, Choice, columns_of, lowest
from nalm.solving.formula.stages.short_targets import Target
from nalm.solving.formula.stages.short_terms import Product, Terms
from nalm.solving.formula.surrogate import least_squares
from nalm.solving.numerics import TINY, Array

UPPER, LOWER = 2000, 1500
"""Terms that numerators and denominators are chosen from: the cheapest."""
KEPT, BRANCHES, TERMS, TERMS_OF_RARE = 5, 4, 4, 2
"""Quotients kept of every length, terms above and below that each is continued with, and the most terms
beside 1: of y itself, and of functions that it rarely is of its formula."""
SPIKES = 10.0
"""The largest value of a term below, in its median size: a few large rows would decide how large the whole
denominator is."""
TOGETHER = 64
"""Terms above that are compared at once: more leave the processor's cache."""
ROUNDS = 3
"""In which the weights of rows are brought in line with the denominator."""
DEPENDENT = 1e-6
"""The share of a term that must be left beside those chosen."""
ANYWHERE = 0.02
"""The least denominator, in the typical one's: nearer to zero it has a pole among the rows, or a zero."""


def quotients(single: Terms, double: Terms, target: Target) -> list[Choice]:
    """The best quotients of two to four terms, judged by their errors of y itself."""
    upper, lower = double.some(UPPER).with_one(), _without_spikes(double).some(LOWER)
    weighted = target.weight[:, None] * np.column_stack([upper.values, lower.values * target.values[:, None]])
    size = np.maximum(np.linalg.norm(weighted, axis=0), TINY)
    library, y = weighted / size, target.values * target.weight
    costs = np.concatenate([upper.costs, lower.costs]) + 1.0
    above = len(upper.parts)
    parts = [*upper.parts, *lower.parts]

    def choice(several: tuple[int, ...]) -> Choice | None:
        numerator = tuple(parts[index] for index in several if index < above)
        denominator = tuple(parts[index] for index in several if index >= above)
        return fitted(numerator, denominator, float(costs[list(several)].sum()), target)

    found: dict[tuple[int, ...], Choice] = {}
    beam = _pairs(library[:, :above], library[:, above:], y, costs, size[above:], lower, target)
    for length in range(2, (TERMS_OF_RARE if target.rare else TERMS) + 1):
        for several in beam:
            one = choice(several)
            if one is not None:
                found[several] = one
        best = sorted(
            (several for several in found if len(several) == length), key=lambda s: found[s].criterion
        )[:KEPT]
        beam = list(
            dict.fromkeys(s for several in best for s in _longer(several, found[several], library, y, above))
        )
    return list(found.values())


def _without_spikes(terms: Terms) -> Terms:
    size = np.abs(terms.values)
    return terms.chosen(np.flatnonzero(size.max(axis=0) <= SPIKES * np.median(size, axis=0)))


def _pairs(
    upper: Array, lower: Array, y: Array, costs: Array, size: Array, below: Terms, target: Target
) -> list[tuple[int, ...]]:
    """Pairs of a term above and one below by their errors, in those of the typical denominator."""
    above, rows, whole = upper.shape[1], len(y), float(y @ y)
    weight = target.weight**2 / np.sum(target.weight**2)
    mean, square = weight @ below.values, weight @ below.values**2
    bounds = below.values.min(axis=0), below.values.max(axis=0)
    # The exponential of the criterion: no logarithms of so many numbers.
    dearer = rows ** (costs[:above, None] / rows), rows ** (costs[above:] / rows)
    second = lower.T @ y
    found: list[tuple[float, tuple[int, int]]] = []
    for start in range(0, above, TOGETHER):
        some = slice(start, start + TOGETHER)
        angle = upper[:, some].T @ lower
        first = (upper[:, some].T @ y)[:, None]
        rest = np.maximum(1 - angle**2, DEPENDENT)
        factor = (second - first * angle) / rest
        error = whole - first * (first - second * angle) / rest - second * factor
        factor /= size
        # The mean square of 1 − b·v, and its signs where v is least and largest.
        typical = np.maximum(1 - 2 * factor * mean + factor**2 * square, TINY)
        poles = (1 - factor * bounds[0]) * (1 - factor * bounds[1]) < ANYWHERE**2 * typical
        merit = np.where(poles, np.inf, np.maximum(error, TINY) / typical) * dearer[0][some] * dearer[1]
        found += [(float(merit[i, j]), (start + i, above + j)) for i, j in lowest(merit)]
    return [pair for merit, pair in sorted(found)[:SHORTLIST] if np.isfinite(merit)]


def _longer(
    several: tuple[int, ...], choice: Choice, library: Array, y: Array, above: int
) -> list[tuple[int, ...]]:
    """The same with a term more, above or below: those that explain most of what is left."""
    scale = 1 / np.maximum(np.abs(choice.denominator()), ANYWHERE)
    scaled, target = library * scale[:, None], y * scale
    size = np.maximum(np.linalg.norm(scaled, axis=0), TINY)
    basis = np.linalg.qr(scaled[:, list(several)])[0]
    left = target - basis @ (basis.T @ target)
    share = 1 - np.sum((basis.T @ scaled / size) ** 2, axis=0)
    gain = np.where(share > DEPENDENT, (left @ scaled / size) ** 2 / np.maximum(share, DEPENDENT), 0.0)
    gain[list(several)] = 0.0
    chosen = [*np.argsort(-gain[:above])[:BRANCHES], *(above + np.argsort(-gain[above:])[:BRANCHES])]
    return [tuple(sorted((*several, int(index)))) for index in chosen]


def fitted(
    numerator: tuple[Product, ...], denominator: tuple[Product, ...], cost: float, target: Target
) -> Choice | None:
    """A quotient with its coefficients, whose denominator has one sign; `None` where it has both."""
    if not numerator or not denominator:
        return None
    above, below = columns_of(numerator, target), columns_of(denominator, target)
    library = np.column_stack([above, below * target.values[:, None]])
    scale = target.weight
    for _ in range(ROUNDS):
        coefficients = least_squares(library * scale[:, None], target.values * scale)
        under = 1 - below @ coefficients[len(numerator) :]
        scale = target.weight / np.maximum(np.abs(under), ANYWHERE)
    used = under[target.weight > 0]
    if used.min() <= ANYWHERE * np.median(np.abs(used)) and used.max() >= -ANYWHERE * np.median(np.abs(used)):
        return None
    return Choice.of(numerator, coefficients, cost, target, denominator)
