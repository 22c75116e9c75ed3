"""95 % intervals of the three measures: Wilson for success, profile likelihood for the means.

The families are the published ones (002 section 3.2.1): a binomial success, a gamma-distributed solved-at, a
sparsity error that is beta-distributed on [0, ½]. `statistics="published"` gives the numbers the published
computation would have printed (see `nalm.measuring.published_statistics`), for comparison only.

Formally, the interval of a mean μ holds every value whose profile deviance
D(μ) = 2·(max ℓ − max_ν ℓ(μ, ν)) is at most n·log(1 + t²/(n − 1)), with t the 97.5 % quantile of Student's t
with n − 1 degrees of freedom. That cut-off makes the interval exact for normal samples of any size, and tends
to the usual χ² quantile 3.84; with it, few runs do not give intervals that are too short.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike

from nalm.measuring import published_statistics
from nalm.measuring.counts import Count
from nalm.measuring.estimate import CONFIDENCE, Estimate, student_t

Statistics = Literal["correct", "published"]

LARGEST_SPARSITY = 0.5
_CLIP = 1e-16
_GAMMA_LIKE = 1e-4
"""Below this a beta density on [0, ½] is a gamma's to the same order, and cancels in double precision."""


def success_rate(solved: ArrayLike) -> Estimate:
    """Share of solved runs with Wilson's score interval.

    Example:
        >>> rate = success_rate([True] * 25)
        >>> rate.value, round(rate.low, 3), rate.high
        (1.0, 0.867, 1.0)
    """
    count = Count.of(np.asarray(solved, dtype=bool).tolist())
    if not count.runs:
        return Estimate(math.nan, math.nan, math.nan, 0)
    return Estimate(count.share, *count.wilson(CONFIDENCE), count.runs)


def mean_solved_at(iterations: ArrayLike, statistics: Statistics = "correct") -> Estimate:
    """Mean iteration at which the solved runs were solved, under a gamma distribution.

    Student's t takes over where a gamma has no say: equal values, or a run solved at iteration 0.
    """
    x = np.asarray(iterations, dtype=np.float64)
    if statistics == "published":
        return published_statistics.gamma_mean(x)
    if len(x) < 2 or x.min() <= 0 or np.ptp(x) == 0:
        return student_t(x, low=0.0)
    return _gamma_mean(x)


def mean_sparsity_error(errors: ArrayLike, statistics: Statistics = "correct") -> Estimate:
    """Mean sparsity error of the solved runs, under a beta distribution on [0, ½].

    Errors beyond ½, which unbounded weights can have, count as ½. NaN is left out: a unit none of whose
    weights counts has no sparsity error. Student's t takes over for equal values.
    """
    x = np.asarray(errors, dtype=np.float64)
    x = np.clip(x[~np.isnan(x)], _CLIP, LARGEST_SPARSITY - _CLIP)
    if statistics == "published":
        return published_statistics.beta_mean(x)
    if len(x) < 2 or x.std(ddof=1) <= 1e-10:
        return student_t(x, 0.0, LARGEST_SPARSITY)
    return _gamma_mean(x) if x.max() < _GAMMA_LIKE else _beta_mean(x)


def _cutoff(n: int) -> float:
    t = float(scipy.stats.t.ppf((1 + CONFIDENCE) / 2, n - 1))
    return n * math.log1p(t**2 / (n - 1))


def _gamma_mean(x: np.ndarray) -> Estimate:
    return _gamma_estimate(len(x), float(x.mean()), float(np.log(x).mean()))


@functools.cache  # a cell's runs are summarised by every table they are in
def _gamma_estimate(n: int, mean: float, mean_log: float) -> Estimate:
    def loglik(log_mu: float) -> float:
        mu = math.exp(log_mu)
        excess = log_mu - mean_log - 1 + mean / mu
        k = _gamma_shape(excess)
        return float(n * (k * (math.log(k) - 1 - excess) - scipy.special.gammaln(k) - mean_log))

    peak = math.log(mean)
    low, high = _ends(loglik, peak, n, step=0.1)
    return Estimate(mean, math.exp(low), math.exp(high), n)


def _gamma_shape(excess: float) -> float:
    """The k with log k − ψ(k) = excess: the best shape for a given mean."""
    k = (3 - excess + math.sqrt((excess - 3) ** 2 + 24 * excess)) / (12 * excess)
    for _ in range(4):  # Newton on 1/k; the start is within 1.5 % (Minka 2002)
        slope = (1 / k - scipy.special.polygamma(1, k)) * k**2
        k = 1 / (1 / k + (math.log(k) - scipy.special.digamma(k) - excess) / slope)
    return float(k)


def _beta_mean(x: np.ndarray) -> Estimate:
    n, y = len(x), x / LARGEST_SPARSITY
    mean_log, mean_log_rest = float(np.log(y).mean()), float(np.log1p(-y).mean())
    return _beta_estimate(n, float(y.mean()), float(y.var(ddof=1)), mean_log, mean_log_rest)


@functools.cache
def _beta_estimate(n: int, mean: float, variance: float, mean_log: float, mean_log_rest: float) -> Estimate:
    typical = math.log(max(mean * (1 - mean) / variance - 1, 1e-2))

    def loglik(logit: float) -> float:
        m = float(scipy.special.expit(logit))

        def negative(log_v: float) -> float:
            a, b = m * math.exp(log_v), (1 - m) * math.exp(log_v)
            return float(scipy.special.betaln(a, b) - (a - 1) * mean_log - (b - 1) * mean_log_rest)

        return -n * float(scipy.optimize.minimize_scalar(negative, bracket=(typical, typical + 1)).fun)

    start = float(scipy.special.logit(mean))
    peak = float(scipy.optimize.minimize_scalar(lambda logit: -loglik(logit), bracket=(start, start + 0.1)).x)
    low, high = _ends(loglik, peak, n, step=0.1)
    value, low, high = (LARGEST_SPARSITY * float(scipy.special.expit(end)) for end in (peak, low, high))
    return Estimate(value, low, high, n)


def _ends(loglik: Callable[[float], float], peak: float, n: int, step: float) -> tuple[float, float]:
    """Where the profile deviance reaches the cut-off, on both sides of the peak."""
    best, cutoff = loglik(peak), _cutoff(n)

    def excess(parameter: float) -> float:
        return 2 * (best - loglik(parameter)) - cutoff

    def search(sign: int) -> float:
        reach = step
        while excess(peak + sign * reach) < 0:
            reach *= 2
        return float(scipy.optimize.brentq(excess, peak, peak + sign * reach, xtol=1e-10))

    return search(-1), search(1)
