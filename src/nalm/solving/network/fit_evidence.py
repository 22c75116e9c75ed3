"""Whether a fit may be believed: held-out errors, standard errors, and what is left unexplained.

Discrete weights are accepted if their held-out error is no more than rounding the data could cause; or, on
noisy data, if it is no more than that of the real weights they replace and the residuals do not depend on the
inputs. In both cases the data must determine the weights: three standard errors must be less than half the
distance between discrete values, otherwise wrong ones may pass by luck.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from scipy import special
from torch import Tensor

from nalm.solving.answer import Status
from nalm.solving.network.algebra import Fit, inverse_gram, least_squares
from nalm.solving.network.chain import Chain
from nalm.solving.network.samples import EXACT, FitSamples
from nalm.solving.verify import Demand, Function, rounding_errors, verify
from nalm.units.forms import Kind

SLACK = 1.1
"""On noisy data discrete weights may do this much worse on held-out data than the fitted ones."""
EXPLAINED = 0.5
"""A formula with a larger held-out error, in standard deviations of y, explains too little to be believed."""
DETERMINED = 0.5 / 3
"""The largest standard error of a weight whose neighbouring values are 1 apart."""
MISFIT = 1e-9
"""Residuals that depend on the inputs with a smaller p-value than this are not noise."""


@dataclass(frozen=True)
class FitEvidence:
    """The status of one fit and the numbers behind it, as `SolutionEvidence` names them."""

    status: Status
    error_before: float
    error_after: float
    rounding: float
    standard_error: float


def judge(
    fitted: Function, discrete: Function, data: FitSamples, uncertainty: Callable[[], float]
) -> FitEvidence | None:
    """Compare fitted and discrete weights on held-out data; `None` if the discrete ones do not fit it.

    Args:
        fitted: with real weights.
        discrete: with discrete ones.
        data: fitted and held-out rows.
        uncertainty: the standard error of the worst determined weight; asked for only if all else is well.
    """
    before, after = error(fitted, data), error(discrete, data)
    spread = torch.inf

    def determined() -> bool:
        nonlocal spread
        if after <= EXPLAINED or rounding_ratio(discrete, data) <= EXACT:
            spread = uncertainty()
        return spread < DETERMINED

    status, errors = verify(
        discrete,
        *data.held_out,
        data.tolerance,
        [Demand(determined, Status.NOT_IDENTIFIABLE)],
        is_noise=lambda: after <= SLACK * before and not depends_on_inputs(discrete.predict(data.x), data),
    )
    rounding = float(errors.max()) / data.eps
    return None if status is Status.NOT_EXACT else FitEvidence(status, before, after, rounding, spread)


def judge_fit(fit: Fit, data: FitSamples) -> FitEvidence | None:
    """Judge a fit of a chain."""
    return judge(fit.fitted, fit.snapped, data, lambda: standard_error(fit.snapped, fit.learnt, data))


def diagnose(fit: Fit, data: FitSamples) -> FitEvidence:
    """Why the discrete weights of the best fit do not reproduce held-out data."""
    before, after = error(fit.fitted, data), error(fit.snapped, data)
    spread = standard_error(fit.fitted, fit.learnt, data.train)
    looks_like_noise = before <= EXPLAINED or not depends_on_inputs(fit.fitted.predict(data.x), data)
    if spread == torch.inf or (spread >= DETERMINED and looks_like_noise):
        status = Status.NOT_IDENTIFIABLE
    else:
        status = misfit(fit.fitted, data, fit.converged)
    return FitEvidence(status, before, after, rounding_ratio(fit.snapped, data), spread)


def misfit(fitted: Function, data: FitSamples, converged: bool) -> Status:
    """Why discrete weights do not fit, if the data would determine them."""
    if rounding_ratio(fitted, data) <= EXACT:
        return Status.NOT_DISCRETE
    return Status.NOT_REPRESENTABLE if converged else Status.DID_NOT_CONVERGE


def error(function: Function, data: FitSamples) -> float:
    """Root mean square held-out error in units of the data's scale; infinite where there is no value."""
    x, y = data.held_out
    deviation = (function.predict(x) - y) / data.scale[data.fitted :]
    value = float(deviation.square().mean().sqrt())
    return value if value == value else torch.inf


def rounding_ratio(function: Function, data: FitSamples) -> float:
    """Largest held-out error over eps·(|y| + Σ_i |∂y/∂x_i|·|x_i|), the first-order bound on rounding."""
    return float(rounding_errors(function, *data.held_out).max()) / data.eps


def standard_error(chain: Chain, learnt: tuple[bool, ...], data: FitSamples) -> float:
    """The largest standard error of the learnt entries, from σ²·(JᵀJ)⁻¹ with σ² the mean square residual."""
    value, slope = chain.linearise(data.x, learnt)
    residual = (value.squeeze(-1) - data.y) / data.scale
    columns = _independent(chain, learnt, slope.squeeze(-2) / data.scale.unsqueeze(-1))
    freedom = len(residual) - columns.shape[1]
    if freedom <= 0:
        return torch.inf
    variance = residual.square().sum() / freedom
    # Exact data leave no residual: what rounding could have caused stands in for it.
    variance = variance.clamp_min(data.rounding_variance)
    inverse = inverse_gram(columns)
    return torch.inf if inverse is None else float((variance * inverse.diagonal()).sqrt().max())


def _independent(chain: Chain, learnt: tuple[bool, ...], columns: Tensor) -> Tensor:
    """Derivatives without the freedoms that sums before a power have by construction.

    A factor moved from one sum to another, or to a sum that follows, changes nothing: one entry of each is
    fixed, but not of the first sum of a mere product, whose scale the data determine. And equal sums used
    alike, as in (a·x)², are one sum: apart they change the product to second order only.
    """
    sizes = [matrix.numel() for matrix, is_learnt in zip(chain.matrices, learnt, strict=True) if is_learnt]
    blocks = iter(columns.split(sizes, dim=-1))
    kept: list[Tensor] = []
    for index, is_learnt in enumerate(learnt):
        if not is_learnt:
            continue
        block = next(blocks)
        followed = index + 1 < len(learnt) and chain.kinds[index + 1] is not Kind.SUM
        if chain.kinds[index] is not Kind.SUM or not followed:
            kept.append(block)
            continue
        alone = index + 2 == len(learnt) and not learnt[index + 1]
        rows, following = chain.matrices[index], chain.matrices[index + 1]
        kept.append(_anchored(block.unflatten(-1, rows.shape), rows, following, spared=int(alone)))
    return torch.cat(kept, dim=-1)


def _anchored(blocks: Tensor, rows: Tensor, following: Tensor, spared: int) -> Tensor:
    """Derivatives [N, O, I] by sums, one for those equal up to sign, without an entry of most."""
    together: dict[tuple[float, ...], Tensor] = {}
    for row, uses, block in zip(rows, following.T, blocks.unbind(1), strict=True):
        facing = float(row[row.abs().argmax()].sign())
        key = (*(facing * row).tolist(), *uses.tolist())
        together[key] = together[key] + facing * block if key in together else facing * block
    free = torch.ones(len(together), rows.shape[-1], dtype=torch.bool)
    for position, key in enumerate(together):
        if position >= spared:
            free[position, int(torch.tensor(key[: rows.shape[-1]]).abs().argmax())] = False
    return torch.stack(list(together.values()), dim=1)[:, free]


def depends_on_inputs(value: Tensor, data: FitSamples) -> bool:
    """Whether inputs, their squares and products, or the squared value predict the residuals: an F test."""
    residual = (value - data.y) / data.scale
    columns = _second_order(data.x, value, len(residual) // 2)
    if not bool(torch.isfinite(residual).all()) or not bool(torch.isfinite(columns).all()):
        return True
    count, freedom = columns.shape[1], len(residual) - columns.shape[1]
    if freedom < 1:
        return False
    solution, _ = least_squares(columns, residual)
    left = float((residual - columns @ solution).square().sum())
    explained = float(residual.square().sum()) - left
    if left <= 0:
        return explained > 0
    return float(special.fdtrc(count, freedom, explained / count / (left / freedom))) < MISFIT


def _second_order(x: Tensor, value: Tensor, limit: int) -> Tensor:
    """A constant, the value squared, the inputs, their squares and products: up to `limit` columns."""
    centred = x - x.mean(dim=0)
    curve = (value - value.mean()).square().unsqueeze(-1)
    first, second = torch.combinations(torch.arange(x.shape[1])).unbind(-1)
    groups = [torch.cat([torch.ones_like(curve), curve], dim=-1), centred, centred.square()]
    if len(first) <= limit:
        groups.append(centred[:, first] * centred[:, second])
    columns = groups[0]
    for group in groups[1:]:
        if columns.shape[1] + group.shape[1] <= limit:
            columns = torch.cat([columns, group], dim=-1)
    return columns
