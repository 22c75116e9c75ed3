"""The constants inside the blocks of short formulas, brought nearer to where they fit best.

Blocks come with a few values for their constants. In between a short formula follows the rows worse than a
longer one with blocks that happen to fit: those that are followed up are compared at their best constants.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import scipy.optimize

from nalm.solving.formula.stages.building_blocks import BuildingBlock
from nalm.solving.formula.stages.short_choices import Choice, distinct, fitted_sum
from nalm.solving.formula.stages.short_quotients import fitted
from nalm.solving.formula.stages.short_terms import Product

COMPARED, FOLLOWED = 24, 8
"""Choices of one kind and length whose constants are refined, and those that are then fitted to all rows."""
WIDEST, NEAR_ENOUGH, STEPS = np.log(2.5), 0.02, 14
"""How far a constant may go, in logarithms: beyond its neighbours; and when the search for it ends."""
UNDEFINED = 1e3
"""The logarithm of the error of a formula with a pole: larger than any."""


def refined(choices: list[Choice]) -> list[Choice]:
    """The best choices at their best constants."""
    return distinct([_refined(choice) for choice in distinct(choices, COMPARED)], FOLLOWED)


def _refined(choice: Choice) -> Choice:
    """One constant after the other."""
    for place in range(len(_varying((*choice.terms, *choice.below)))):
        choice = _with_best_constant(choice, place)
    return choice


def _with_best_constant(choice: Choice, place: int) -> Choice:
    start = _varying((*choice.terms, *choice.below))[place].constant
    assert start is not None

    def at(step: float) -> Choice | None:
        return _with_constant(choice, place, start * float(np.exp(step)))

    def error(step: float) -> float:
        trial = at(step)
        return UNDEFINED if trial is None else float(np.log(trial.error))

    found = scipy.optimize.minimize_scalar(
        error,
        bounds=(-WIDEST, WIDEST),
        method="bounded",
        options={"xatol": NEAR_ENOUGH, "maxiter": STEPS},
    )
    best = at(float(found.x))
    return best if best is not None and best.error < choice.error else choice


def _varying(products: Iterable[Product]) -> list[BuildingBlock]:
    """The blocks that have a constant, as often as they occur."""
    return [block for product in products for block, _ in product if block.constant is not None]


def _with_constant(choice: Choice, place: int, constant: float) -> Choice | None:
    """The choice with another constant in one of its varying blocks, coefficients fitted anew."""
    number = 0

    def moved(product: Product) -> Product:
        nonlocal number
        several = []
        for block, power in product:
            if block.constant is not None:
                several.append((block.with_constant(constant) if number == place else block, power))
                number += 1
            else:
                several.append((block, power))
        return tuple(several)

    terms, below = (tuple(moved(product) for product in part) for part in (choice.terms, choice.below))
    if below:
        return fitted(terms, below, choice.cost, choice.target)
    return fitted_sum(terms, choice.cost, choice.target)
