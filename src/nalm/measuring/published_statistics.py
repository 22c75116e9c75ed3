"""The published computation of mean solved-at and mean sparsity error, with its two mistakes.

001 and 002 fit their means by maximum likelihood in R (bbmle's `mle2` with L-BFGS-B, profile intervals). This
module repeats that computation step by step, so that published numbers can be compared like with like. On the
per-run values published for the Arithmetic Dataset Task it agrees with the published summary to nine digits
(the tests hold two of its cells). Nobody should use it for anything else:

- The mean sparsity error is halved (D16). Errors lie in [0, ½]; their mean is doubled to parametrise a beta
  distribution on [0, 1], whose density is then taken at the errors themselves.
- The mean solved-at is not the maximum of the likelihood (D17), which is at the sample mean. Derivatives are
  differences over ±0.001 while iterations have variances of 10¹²: the optimiser stops after a first step of
  10⁻⁶, and keeps the variance at the sample's when the mean is profiled. Where profiling then happens on a
  mean that fits better *with that variance*, the fit starts over from there. So the published number is the
  sample mean, or roughly the best mean of a gamma distribution whose variance is the sample's.
- Student's t takes over, with the right mean, where the fit breaks down, which it does for very small errors.
  Published sparsity errors therefore mix means and half means.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import scipy

from nalm.measuring.estimate import CONFIDENCE, Estimate, student_t

_EPS = np.finfo(np.float64).eps
_FARTHEST = math.sqrt(-2 * math.log(0.01 / 2))
"""How far, in standard normal units, a profile is followed; five steps lead there."""
_IMPROVEMENT = 1e-3
"""How much lower a deviance met on the profile must be to restart the fit from there."""

Objective = Callable[[np.ndarray], float]
Bounds = tuple[np.ndarray, np.ndarray]


def gamma_mean(values: np.ndarray) -> Estimate:
    """Mean of a gamma distribution as published; Student's t for equal values."""
    x = np.asarray(values, dtype=np.float64)

    def objective(parameters: np.ndarray) -> float:
        mean, variance = parameters
        with np.errstate(all="ignore"):
            shape, scale = mean**2 / variance, variance / mean
            density = (
                (shape - 1) * np.log(x / scale) - x / scale - scipy.special.gammaln(shape) - np.log(scale)
            )
        return -float(density.sum())

    if len(x) < 2 or x.std(ddof=1) <= 1e-5:
        return student_t(x, low=0.0)
    bounds = np.array([0.0, 1e-5]), np.array([np.inf, np.inf])
    fitted = _fit(objective, np.array([x.mean(), x.var(ddof=1)]), bounds)
    return Estimate(*fitted, len(x)) if fitted else student_t(x, low=0.0)


def beta_mean(values: np.ndarray) -> Estimate:
    """Mean of a beta distribution as published, half of what it should be; Student's t if the fit fails."""
    x = np.clip(np.asarray(values, dtype=np.float64), 1e-16, 0.5 - 1e-16)

    def objective(parameters: np.ndarray) -> float:
        mean, size = parameters
        a, b = 2 * mean * size, (1 - 2 * mean) * size
        if min(a, b) < 0:
            return math.nan
        if min(a, b) == 0:  # all mass in one point, no density anywhere else
            return 1e6 * len(x)
        density = (a - 1) * np.log(x) + (b - 1) * np.log1p(-x) - scipy.special.betaln(a, b)
        return -float(np.clip(density, -1e6, 1e6).sum())

    if len(x) < 2 or x.std(ddof=1) <= 1e-10:
        return student_t(x, 0.0, 0.5)
    size = x.mean() * (0.5 - x.mean()) / x.var(ddof=1) - 1
    bounds = np.array([0.0, 1e-5]), np.array([0.5, np.inf])
    fitted = _fit(objective, np.array([x.mean(), size]), bounds)
    return Estimate(*fitted, len(x)) if fitted else student_t(x, 0.0, 0.5)


def _fit(objective: Objective, start: np.ndarray, bounds: Bounds) -> tuple[float, float, float] | None:
    """First parameter and its profile interval; `None` where no standard error can be computed."""
    while True:
        parameters, minimum = _minimise(objective, start, bounds)
        error = _standard_error(objective, parameters)
        if not math.isfinite(error):
            return None
        profile = _Profile(objective, parameters, minimum, error, bounds)
        better = profile.follow()
        if better is None:
            low, high = profile.interval()
            return float(parameters[0]), low, high
        start = better


def _minimise(objective: Objective, start: np.ndarray, bounds: Bounds) -> tuple[np.ndarray, float]:
    """L-BFGS-B with the settings and finite differences of R's `optim`."""
    low, high = bounds

    def gradient(parameters: np.ndarray) -> np.ndarray:
        slopes = np.empty_like(parameters)
        for i, value in enumerate(parameters):
            up, down = parameters.copy(), parameters.copy()
            up[i], down[i] = min(value + 1e-3, high[i]), max(value - 1e-3, low[i])
            width = min(1e-3, high[i] - value) + min(1e-3, value - low[i])
            slopes[i] = (objective(up) - objective(down)) / width
        return slopes

    options = {"maxcor": 5, "ftol": 1e7 * _EPS, "gtol": 0.0, "maxiter": 100, "maxls": 20}
    result = scipy.optimize.minimize(
        objective,
        np.clip(start, low, high),
        jac=gradient,
        method="L-BFGS-B",
        bounds=scipy.optimize.Bounds(low, high),
        options=options,
    )
    return result.x, float(result.fun)


def _standard_error(objective: Objective, parameters: np.ndarray) -> float:
    """Of the first parameter: from the pseudo-inverse of the Hessian, or from its diagonal if that fails."""
    hessian = _hessian(objective, parameters)
    if not np.isfinite(hessian).all():
        return math.nan
    # The pseudo-inverse drops singular values below 1.5e-8 of the largest: a variance of 1e12 falls out.
    variances = np.diag(np.linalg.pinv(hessian, rcond=math.sqrt(_EPS)))
    with np.errstate(all="ignore"):
        from_diagonal = 1 / np.diag(hessian)
    usable = np.where(variances >= 0, variances, from_diagonal)
    return math.sqrt(usable[0]) if (usable >= 0).all() else math.nan


def _hessian(objective: Objective, parameters: np.ndarray) -> np.ndarray:
    """Central differences over a tenth of each parameter, Richardson-extrapolated three times.

    Parameters below 1.8e-5 get steps of 1e-4 on top. Those of a mean that small reach below 0, where the beta
    density is undefined: this is where the published fits of small sparsity errors break down.
    """
    centre, size = objective(parameters), np.abs(parameters)
    steps = 0.1 * size + 1e-4 * (size < math.sqrt(_EPS / 7e-7))

    def extrapolate(estimate: Callable[[float], float]) -> float:
        levels = [estimate(2.0**-halving) for halving in range(4)]
        for order in range(1, 4):
            levels = [(4**order * fine - coarse) / (4**order - 1) for coarse, fine in pairwise(levels)]
        return levels[0]

    def second(direction: np.ndarray) -> Callable[[float], float]:
        def estimate(scale: float) -> float:
            step = scale * direction
            return (objective(parameters + step) - 2 * centre + objective(parameters - step)) / scale**2

        return estimate

    first, last = np.array([steps[0], 0.0]), np.array([0.0, steps[1]])
    along = extrapolate(second(first)), extrapolate(second(last))
    mixed = (extrapolate(second(first + last)) - sum(along)) / 2
    with np.errstate(all="ignore"):
        return np.array([[along[0], mixed], [mixed, along[1]]]) / np.outer(steps, steps)


class _Profile:
    """The signed root of the deviance over the first parameter, the second one refitted."""

    def __init__(
        self, objective: Objective, parameters: np.ndarray, minimum: float, error: float, bounds: Bounds
    ) -> None:
        self.objective, self.minimum, self.bounds = objective, minimum, bounds
        self.centre, self.other = parameters
        self.step = _FARTHEST / 5 * error
        self.points: dict[float, float] = {float(self.centre): 0.0}

    def follow(self) -> np.ndarray | None:
        """Walk down, then up; stop and return the parameters if they fit better than the supposed best."""
        for sign in (-1, 1):
            self.last = float(self.centre)
            better = self._walk(sign)
            if better is not None:
                return better
        return None

    def _walk(self, sign: int) -> np.ndarray | None:
        for steps in range(1, 100):
            onward, better = self._visit(sign, steps)
            if not onward:
                break
        if better is None and sign * self.points[self.last] < _FARTHEST:
            # A bound or an undefined density came too early: try smaller steps towards it.
            for fraction in (0.2, 0.4, 0.6, 0.8, 0.9):
                onward, better = self._visit(sign, steps - 1 + fraction)
                if not onward:
                    break
        return better

    def _visit(self, sign: int, steps: float) -> tuple[bool, np.ndarray | None]:
        """One point of the profile: whether to walk on, and its parameters if they are the better fit."""
        value = float(self.centre + sign * steps * self.step)
        if not self.bounds[0][0] <= value <= self.bounds[1][0]:
            return False, None
        deviance, parameters = self._deviance(value)
        if math.isnan(deviance):
            return False, None
        if deviance <= -_IMPROVEMENT:
            return False, parameters
        self.points[value] = sign * math.sqrt(max(deviance, 0.0))
        self.last = value
        return abs(self.points[value]) < _FARTHEST, None

    def _deviance(self, value: float) -> tuple[float, np.ndarray]:
        parameters = np.array([value, self.other])
        if not math.isfinite(self.objective(parameters)):
            return math.nan, parameters
        rest = self.bounds[0][1:], self.bounds[1][1:]
        best, minimum = _minimise(lambda p: self.objective(np.array([value, p[0]])), parameters[1:], rest)
        return 2 * (minimum - self.minimum), np.array([value, best[0]])

    def interval(self) -> tuple[float, float]:
        """Where the root crosses ±1.96, on a cubic spline sampled three times as densely as the profile."""
        x = np.array(sorted(self.points))
        z = np.array([self.points[value] for value in x])
        if len(x) >= 4 and (np.diff(z) > 0).all():
            dense = np.linspace(x[0], x[-1], 3 * len(x))
            smooth = _spline(x, z)(dense)
            if (np.diff(smooth) >= 0).all():
                x, z = dense, smooth
        ends = scipy.stats.norm.ppf([(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
        low, high = np.interp(ends, z, x, left=math.nan, right=math.nan)
        return float(low), float(high)


def _spline(x: np.ndarray, y: np.ndarray) -> scipy.interpolate.BSpline:
    """The cubic spline whose third derivatives at the ends are those of the cubics through four points."""

    def third_derivative(nodes: np.ndarray, values: np.ndarray) -> float:
        for order in range(1, 4):
            values = np.diff(values) / (nodes[order:] - nodes[:-order])
        return 6 * float(values[0])

    ends = [(3, third_derivative(x[:4], y[:4]))], [(3, third_derivative(x[-4:], y[-4:]))]
    return scipy.interpolate.make_interp_spline(x, y, k=3, bc_type=ends)
