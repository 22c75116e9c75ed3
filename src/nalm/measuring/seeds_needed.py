"""How many seeds a comparison of success rates needs."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence

import numpy as np
import scipy

from nalm.measuring.counts import Count, Pair, mid_p, sign_test

LEVEL = 0.05
ENOUGH = 0.8
"""The power a comparison must have before finding no difference means anything."""
MOST = 2000
"""Seeds of one cell beyond which nobody will wait for an answer."""


@functools.cache
def power(runs: int, published: Count, effect: float) -> float:
    """Probability that Fisher's test (mid-p) tells so many runs from the published ones.

    The rate behind our runs lies the effect above or below the published one, with equal chances where both
    are rates.

    Example:
        >>> power(37, Count(31, 100), 0.25) >= ENOUGH > power(10, Count(31, 100), 0.25)
        True
    """
    rates = [rate for rate in (published.share - effect, published.share + effect) if 0 <= rate <= 1]
    seen = np.array([mid_p([(Count(solved, runs), published)]) < LEVEL for solved in range(runs + 1)])
    chances = [float(scipy.stats.binom.pmf(np.arange(runs + 1), runs, rate)[seen].sum()) for rate in rates]
    return float(np.mean(chances)) if chances else 0.0


def power_of_curve(tables: Sequence[Pair], effect: float) -> float:
    """The same for several cells tested together, by the normal approximation.

    Example:
        >>> round(power_of_curve([(Count(5, 5), Count(50, 50))], 0.2), 2)  # 1 − 0.8⁵ if it is counted
        0.67
    """
    shift = variance = own = 0.0
    for ours, published in tables:
        if not ours.runs or not published.runs:
            continue
        weight = ours.runs * published.runs / (ours.runs + published.runs)
        # Towards the middle: a rate of 0 cannot be lower, one of 1 cannot be higher.
        other = published.share + (effect if published.share < 0.5 else -effect)
        mixed = (ours.runs * other + published.solved) / (ours.runs + published.runs)
        shift += weight * effect
        variance += weight * mixed * (1 - mixed)
        own += weight**2 * other * (1 - other) / ours.runs
    if not own:
        return 0.0
    needed = float(scipy.stats.norm.ppf(1 - LEVEL / 2)) * math.sqrt(variance)
    return float(scipy.stats.norm.cdf((shift - needed) / math.sqrt(own)))


def seeds_for_direction(wins: int, losses: int, runs: int) -> int | None:
    """Seeds after which a sign test rejects if wins and losses go on as observed; `None` if none would."""
    if wins == losses or not runs:
        return None
    more, less = max(wins, losses), min(wins, losses)
    return _first(lambda n: sign_test(round(more * n / runs), round(less * n / runs)) < LEVEL)


def _first(enough: Callable[[int], bool]) -> int | None:
    """The smallest number of seeds from which it holds, looked for by bisection."""
    if not enough(MOST):
        return None
    low, high = 0, MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
