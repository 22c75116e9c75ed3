"""Epidemics: from what was counted at regular times to the equations behind it (Heim et al. 2020).

002 appendix D.1 names the experiment and gives no settings. Chosen here, in shares of a population: who has
recovered becomes susceptible again, five epidemics of 40 weeks are counted every week, and the test is
on three others in populations twice as large. One epidemic alone is a curve among the states, on which many
equations agree.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from nalm.tasks.supply import EvaluationBatch, Supplier, Task, Tensors

Start = tuple[float, float, float]
WEEKS = 40
"""How long an epidemic is watched."""
STARTS = ((0.93, 0.05, 0.02), (0.6, 0.1, 0.3), (0.3, 0.6, 0.1), (0.1, 0.1, 0.8), (0.7, 0.01, 0.29))
"""Susceptible, infected and recovered on the first week of every epidemic that is trained on."""
OTHER_STARTS = ((1.8, 0.1, 0.1), (1.2, 0.6, 0.2), (0.5, 0.3, 1.2))
"""Of the epidemics in the test: twice the population."""


@dataclass(frozen=True)
class Epidemic:
    """A model of the SIR family.

    Formally, with the flow of new infections f = β·S^κ·I^γ,

        S′ = ηR − f,   I′ = f − αI,   R′ = αI − ηR

    Attributes:
        beta: how fast the disease spreads.
        alpha: the share of the infected who recover in a week.
        eta: the share of the recovered who lose their immunity in a week.
        kappa: exponent of the susceptible.
        gamma: exponent of the infected.
    """

    beta: float
    alpha: float = 0.25
    eta: float = 0.05
    kappa: float = 1.0
    gamma: float = 1.0

    def slopes(self, states: np.ndarray) -> np.ndarray:
        """S′, I′ and R′ of states, both [..., 3].

        Example:
            >>> Epidemic(beta=1.0).slopes(np.array([0.5, 0.5, 0.0])).round(3).tolist()
            [-0.25, 0.125, 0.125]
        """
        s, i, r = np.moveaxis(states, -1, 0)
        infected, recovered, lost = self.beta * s**self.kappa * i**self.gamma, self.alpha * i, self.eta * r
        return np.stack([lost - infected, infected - recovered, recovered - lost], axis=-1)


EPIDEMICS = {
    "SIR": Epidemic(beta=1.0),
    "fractional SIR": Epidemic(beta=0.5, kappa=0.5, gamma=0.5),
}
"""By name; the second one's exponents are fractions."""


@functools.cache
def course(operation: str, start: Start, first: float = 0.0) -> np.ndarray:
    """States of an epidemic every week from `first` on: [counts, 3], accurate to 10⁻¹⁰.

    Example:
        >>> course("SIR", STARTS[0]).shape, course("SIR", STARTS[0])[0].tolist()
        ((41, 3), [0.93, 0.05, 0.02])
    """
    from scipy.integrate import solve_ivp

    model = EPIDEMICS[operation]
    weeks = np.arange(first, WEEKS + 0.5)
    solved = solve_ivp(
        lambda _, state: model.slopes(state), (0.0, weeks[-1]), start, "DOP853", weeks, rtol=1e-10, atol=1e-12
    )
    return solved.y.T


@dataclass(frozen=True)
class Counts(Supplier):
    """Every batch is all of the epidemics: from each count to the next one."""

    def settings(self, task: Any, seed: int) -> dict[str, np.ndarray]:
        return dict(zip("xy", task.training(), strict=True))

    def batch(self, settings: Tensors, now: Tensors) -> tuple[Tensor, Tensor]:
        return settings["x"], settings["y"]

    def evaluation(self, task: Any, seed: int) -> Iterator[EvaluationBatch]:
        for column, pairs in task.evaluated_on().items():
            x, y = (torch.tensor(part, dtype=torch.float32) for part in pairs)
            yield EvaluationBatch(column, x, y)

    def output(self, output: Tensor) -> Tensor:
        return output


@dataclass(frozen=True)
class EpidemicTask(Task):
    """Susceptible, infected and recovered a week later.

    Validation asks the same of states half a week later, which were not counted; the test of other epidemics.

    Attributes:
        operation: a key of `EPIDEMICS`.

    Example:
        >>> x, y = EpidemicTask("SIR").training()
        >>> x.shape, bool((x[1:40] == y[:39]).all())
        ((200, 3), True)
    """

    operation: str
    inputs: int = 3

    def __post_init__(self) -> None:
        if self.operation not in EPIDEMICS:
            raise ValueError(f"unknown epidemic {self.operation!r}; there are {', '.join(EPIDEMICS)}")

    @property
    def rows(self) -> int:
        """Samples of a batch: steps from one count to the next."""
        return len(STARTS) * WEEKS

    def supplier(self, batch_size: int) -> Supplier:
        if batch_size != self.rows:
            raise ValueError(f"a batch is all of the epidemics: set batch_size={self.rows}, not {batch_size}")
        return Counts()

    def training(self) -> tuple[np.ndarray, np.ndarray]:
        """States at every count but the last, and at the next one: both [rows, 3]."""
        return self._steps(STARTS)

    def evaluated_on(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """The same from halfway between counts, and of the other epidemics."""
        return {"validation": self._steps(STARTS, 0.5), "test": self._steps(OTHER_STARTS)}

    def _steps(self, starts: Iterable[Start], first: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        courses = [course(self.operation, start, first) for start in starts]
        before, after = ([states[part] for states in courses] for part in (slice(-1), slice(1, None)))
        return np.concatenate(before), np.concatenate(after)
