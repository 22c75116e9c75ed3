"""How a run is trained, as data."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

from nalm.training.losses import LOSSES
from nalm.training.schedules import Schedule
from nalm.training.stopping import Stop
from nalm.units.restart import Restart

OPTIMISERS = ("adam", "sgd", "momentum")


@dataclass(frozen=True)
class Recipe:
    """Everything about training except the network, the task and the seed.

    Attributes:
        iterations: updates of the parameters; the last row of a curve is the network after so many.
        batch_size: fresh samples per iteration.
        evaluate_every: iterations between two rows of the curve.
        optimiser: `"adam"` (β = 0.9, 0.999, ε = 1e-8), `"sgd"`, or `"momentum"` (0.9; what was published as
            "Nesterov" never switched the look-ahead on, D14).
        learning_rate: its step size.
        loss: a key of `LOSSES`, such as `"mse"`, `"pcc"`, `"mape"`, `"log"` or `"unexplained"`.
        then: (iteration, loss) to change over to, as the PCC-MSE of 002 section 6.3; `None` never changes.
        penalties: (term, schedule) pairs; terms without a schedule do not act.
        clip_value: largest magnitude of a gradient's element.
        clip_norm: largest norm of a run's whole gradient.
        gradient_noise: η of 002 section 4.3.2: noise of variance η / (1 + iteration)^0.55 on every gradient.
        restart: when to redraw the parameters.
        stop: when to end before the last iteration; `None` never does.
        cooldown: over so many of the last iterations the step size falls linearly to 0, with Adam; 0 never
            does. Adam's steps are about as long as the learning rate however near the solution is: weights
            that have to be exact, such as a recurrence's, need them to shrink.
    """

    iterations: int = 50_000
    batch_size: int = 128
    evaluate_every: int = 1000
    optimiser: str = "adam"
    learning_rate: float = 1e-3
    loss: str = "mse"
    then: tuple[int, str] | None = None
    penalties: tuple[tuple[str, Schedule], ...] = ()
    clip_value: float | None = None
    clip_norm: float | None = None
    gradient_noise: float = 0.0
    restart: Restart | None = None
    stop: Stop | None = None
    cooldown: int = 0

    def __post_init__(self) -> None:
        if self.optimiser not in OPTIMISERS:
            raise ValueError(f"unknown optimiser {self.optimiser!r}; known: {', '.join(OPTIMISERS)}")
        for loss in (self.loss, *(self.then or ())[1:]):
            if loss not in LOSSES:
                raise ValueError(f"unknown loss {loss!r}; known: {', '.join(LOSSES)}")
        for field in ("iterations", "batch_size", "evaluate_every"):
            if getattr(self, field) < 1:
                raise ValueError(f"{field} must be at least 1, got {getattr(self, field)}")
        if not (self.learning_rate > 0 and math.isfinite(self.learning_rate)):
            raise ValueError(f"learning_rate must be a positive number, got {self.learning_rate}")
        for field in ("clip_norm", "clip_value"):
            if (limit := getattr(self, field)) is not None and not limit > 0:
                raise ValueError(f"{field} must be a positive number, got {limit}")
        if not 0 <= self.cooldown <= self.iterations:
            raise ValueError(f"cooldown must be 0 to {self.iterations} iterations, got {self.cooldown}")
        if self.cooldown and self.optimiser != "adam":
            raise ValueError(f"steps of Adam alone can be cooled down, not of {self.optimiser!r}")
        if self.iterations % self.evaluate_every:
            raise ValueError(
                f"iterations ({self.iterations}) must be a multiple of evaluate_every ({self.evaluate_every})"
            )

    @property
    def revisions(self) -> dict[str, int]:
        """Corrections of what the recipe asks for, part of a run's identity: see `Unit.revision`."""
        losses = (self.loss, *(self.then or ())[1:])
        # The PCC clamped no variance, and restarts came one update early.
        corrected = {"pcc": "pcc" in losses, "restart": self.restart is not None}
        return {name: 1 for name, applies in corrected.items() if applies}

    def scaled(self, factor: float) -> Recipe:
        """The same recipe on a fraction of the iterations: schedules shrink with it, rows of the curve stay.

        Example:
            >>> from nalm.training import Ramp
            >>> short = Recipe(penalties=(("sparse", Ramp(10.0, 20_000, 35_000)),)).scaled(0.1)
            >>> short.iterations, short.evaluate_every, short.penalties[0][1].start
            (5000, 100, 2000)
        """
        if factor == 1:
            return self
        rows = self.iterations // self.evaluate_every
        every = max(1, round(self.evaluate_every * factor))
        return dataclasses.replace(
            self,
            iterations=rows * every,
            evaluate_every=every,
            then=None if self.then is None else (round(self.then[0] * factor), self.then[1]),
            penalties=tuple((term, schedule.scaled(factor)) for term, schedule in self.penalties),
            restart=None if self.restart is None else self.restart.scaled(factor),
            cooldown=round(self.cooldown / self.iterations * rows * every),
        )

    def cut(self, factor: float) -> Recipe:
        """The first part of the same training: fewer iterations, none of them cooled down, all else as it is.

        Example:
            >>> Recipe(iterations=50_000).cut(0.1).iterations
            5000
        """
        rows = max(1, round(self.iterations * factor / self.evaluate_every))
        return dataclasses.replace(self, iterations=rows * self.evaluate_every, cooldown=0)
