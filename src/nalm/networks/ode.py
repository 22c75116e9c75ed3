"""Units as the right-hand side of a differential equation (Heim et al. 2020, equation discovery)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from nalm.networks.block import Part, build_part
from nalm.networks.stack import Stack
from nalm.units.base import Unit

if TYPE_CHECKING:
    import sympy

SUBSTEPS = 2
"""Steps of the integrator between two observations: twice as many change an epidemic's states by 10⁻⁷."""


class NeuralODE(nn.Module):
    """Where a state is after some time, if its slope is what units make of it.

    Formally, x(t + T) for x′ = U₂(U₁(x)), by two steps of the classical Runge–Kutta method. With powers as U₁
    and sums as U₂ the learnt equation can be read. The step is written out here because the engine compiles
    it, some hundred times faster than `torchdiffeq`, which looks at values and so cannot be compiled;
    `course` follows a state for any time by the adaptive method of `torchdiffeq`, from the extra `nalm[ode]`.

    Args:
        features: numbers of a state.
        hidden: outputs of U₁.
        inner: U₁, a unit and its options, or `"tanh"` for a perceptron to compare with.
        outer: U₂ likewise; a perceptron's is linear.
        time: T.

    Example:
        >>> network = NeuralODE(1, 1, inner=("RealNaiveNPU", ()), outer=("NAU", ()), time=1.0)
        >>> network.slope[0].assign(weight=torch.ones(1, 1))
        >>> network.slope[1].assign(weight=torch.tensor([[-0.5]]))
        >>> round(network(torch.ones(1, 1)).item(), 4)  # x′ = −x/2 gives e^−½
        0.6065
    """

    def __init__(
        self, features: int, hidden: int, *, inner: Part | str, outer: Part | str = ("NAU", ()), time: float
    ) -> None:
        super().__init__()
        self.in_features = features
        self.time = time
        if isinstance(inner, str) or isinstance(outer, str):
            layers: list[nn.Module] = [nn.Linear(features, hidden), nn.Tanh(), nn.Linear(hidden, features)]
        else:
            layers = [build_part(inner, features, hidden), build_part(outer, hidden, features)]
        self.slope = nn.Sequential(*layers)

    def forward(self, x: Tensor) -> Tensor:
        """[..., features] to [..., features]."""
        h = self.time / SUBSTEPS
        for _ in range(SUBSTEPS):
            k1 = self.slope(x)
            k2 = self.slope(x + h / 2 * k1)
            k3 = self.slope(x + h / 2 * k2)
            k4 = self.slope(x + h * k3)
            x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return x

    @torch.no_grad()
    def course(self, start: Tensor, times: Tensor) -> Tensor:
        """States at many times: [times, ..., features]."""
        states: Tensor = odeint()(lambda _, state: self.slope(state), start, times, method="dopri5")
        return states

    def equations(self, symbols: Sequence[str]) -> list[sympy.Expr] | None:
        """The learnt right-hand sides of a positive state, with weights as they are; `None` of a perceptron.

        Example:
            >>> network = NeuralODE(1, 1, inner=("RealNaiveNPU", ()), time=1.0)
            >>> network.slope[0].assign(weight=torch.tensor([[0.5]]))
            >>> network.slope[1].assign(weight=torch.tensor([[0.25]]))
            >>> network.equations(["x"])
            [0.25*sqrt(x)]
        """
        import sympy

        units = [layer for layer in self.slope if isinstance(layer, Unit)]
        if len(units) < len(self.slope):
            return None
        positive = sympy.symbols(list(symbols), positive=True)
        plain = dict(zip(positive, sympy.symbols(list(symbols)), strict=True))
        return [formula.subs(plain) for formula in Stack(*units).expression(positive, rounded=False)]


@functools.cache
def odeint() -> Callable[..., Any]:
    """The integrator of `torchdiffeq`."""
    try:
        import torchdiffeq
    except ImportError as error:
        raise ImportError(
            "units inside a differential equation need torchdiffeq: pip install 'nalm[ode]'"
        ) from error
    integrate: Callable[..., Any] = torchdiffeq.odeint
    return integrate
