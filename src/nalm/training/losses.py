"""What is minimised over a batch (002 section 6.3)."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

EPS = torch.finfo(torch.float32).eps
SMALLEST = 1e-30
"""|y| before its logarithm."""
EXPLAINED = 0.01
"""The share of the variance below which `unexplained` is nearly linear."""
CERTAIN = 1e-6
"""How near to 0 or 1 a probability may count: float32 tells 1 from 1 − 6·10⁻⁸."""


def mse(prediction: Tensor, target: Tensor) -> Tensor:
    """Mean squared error."""
    return (prediction - target).square().mean()


def pcc(prediction: Tensor, target: Tensor) -> Tensor:
    """1 − Pearson's correlation of the batch: blind to a scale and an offset (002 eq. 6.3 and 6.4).

    Formally, with v = ŷ − mean ŷ, w = y − mean y and s² = max(mean v², ε), t² = max(mean w², ε),

        loss = 1 − mean(v/(s + ε) · w/(t + ε))

    so that a constant prediction has a finite gradient.

    Example:
        >>> x = torch.tensor([1.0, 2.0, 4.0])
        >>> round(pcc(3 * x + 1, x).item(), 5)
        0.0
    """
    centred = [values - values.mean() for values in (prediction, target)]
    scaled = [values / (values.square().mean().clamp(min=EPS).sqrt() + EPS) for values in centred]
    return 1 - (scaled[0] * scaled[1]).mean()


def mape(prediction: Tensor, target: Tensor) -> Tensor:
    """Mean absolute error relative to the target."""
    return ((prediction - target).abs() / target.abs().clamp(min=EPS)).mean()


def log_error(prediction: Tensor, target: Tensor) -> Tensor:
    """Mean squared error of ln|ŷ|: relative errors of all sizes count alike, and signs do not count.

    Linear least squares for whatever multiplies powers, such as the `CornerNPU`. Numbers under 10⁻³⁰ count as
    that, so that an output or target of 0 is a large error and not an infinite one.

    Example:
        >>> round(log_error(torch.tensor([2.0, -6.0]), torch.tensor([2.0, 3.0])).item(), 4)
        0.2402
    """
    return mse(_magnitude(prediction), _magnitude(target))


def _magnitude(values: Tensor) -> Tensor:
    return values.abs().clamp(min=SMALLEST).log()


def unexplained(prediction: Tensor, target: Tensor) -> Tensor:
    """ln of the share of the target's variance that is left unexplained, from 1 % down as good as linear.

    Formally, summed over what comes before the target's dimensions, such as several candidates,

        loss = Σ_k ln(1 + 100·mean(ŷ_k − y)² / var y)

    Blind to the size of the target, so that one penalty suits all targets, and never flat where the error is
    large. Its first part is the log-likelihood of errors of unknown variance; the 1 is the robust loss of
    Black & Anandan (1996), applied to a batch. Of 10⁻², 10⁻³ and 10⁻⁴ in place of 1 %, this held weights
    best at their corners: the smaller the share, the longer noise outweighs the penalty.

    Example:
        >>> candidates = torch.tensor([[1.0, 3.0], [1.0, 1.0]])
        >>> round(unexplained(candidates, target=torch.tensor([1.0, 3.0])).item(), 4)
        5.3033
    """
    centred = target - target.mean()
    variance = centred.square().mean().clamp(min=SMALLEST)
    shares = (prediction - target).square().flatten(-target.ndim).mean(dim=-1) / variance
    return (1 + shares / EXPLAINED).log().sum()


def unexplained_log(prediction: Tensor, target: Tensor) -> Tensor:
    """`unexplained` of ln|ŷ| and ln|y|: blind to signs, as `log_error`, and to how narrow a range is.

    Example:
        >>> round(unexplained_log(torch.tensor([2.0, -3.0]), torch.tensor([2.0, 3.0])).item(), 4)
        0.0
    """
    return unexplained(_magnitude(prediction), _magnitude(target))


def cross_entropy(prediction: Tensor, target: Tensor) -> Tensor:
    """Of truth values, from predicted probabilities; those within 10⁻⁶ of 0 or 1 count as that far from it.

    Example:
        >>> round(cross_entropy(torch.tensor([0.5, 0.5]), torch.tensor([0.0, 1.0])).item(), 4)
        0.6931
    """
    sure = prediction.clamp(CERTAIN, 1 - CERTAIN)
    return -(target * sure.log() + (1 - target) * (1 - sure).log()).mean()


LOSSES: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "mse": mse,
    "pcc": pcc,
    "mape": mape,
    "log": log_error,
    "unexplained": unexplained,
    "unexplained log": unexplained_log,
    "cross-entropy": cross_entropy,
}
