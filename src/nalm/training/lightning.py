"""Units in a model that Lightning trains: projection, scheduled penalty and readout by one callback.

It needs the extra `lightning`: `pip install "nalm[lightning]"`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import torch
from torch import nn
from torch.optim import Optimizer
from torch.utils.hooks import RemovableHandle

try:
    from lightning.pytorch import LightningModule, Trainer
    from lightning.pytorch.callbacks import Callback
except ImportError as error:
    raise ImportError('nalm.training.lightning needs Lightning: pip install "nalm[lightning]"') from error

from nalm.networks.explain import Explanation, explain_parts
from nalm.networks.model import sparsity_error
from nalm.training.attach import attach, penalty
from nalm.training.schedules import Schedule


class UnitCallback(Callback):
    """What you would do by hand in your own training loop: `attach`, `penalty` and `explain`.

    Every optimiser gets the projection. The penalty's gradient is added before each of its steps, once per
    step however many batches it gathers, after gradients are unscaled and before they are clipped, as if it
    stood in the loss. At the end of every epoch the sparsity error is logged as `nalm/sparsity_error`, the
    formulas are kept in `formulas`, and loggers that take text (TensorBoard's) get them.

    Args:
        schedule: as for `nalm.penalty`: the strength of all terms, or a schedule per term; `None` for none.
        monitor: the logged metric that schedules which look at the validation loss see.

    Attributes:
        formulas: by dotted name, what each part of the model that is made of units computes.

    Example:
        >>> from nalm import Ramp
        >>> callback = UnitCallback(Ramp(10.0, start=1_000, end=2_000))
        >>> callback.formulas
        {}
    """

    def __init__(
        self, schedule: Schedule | Mapping[str, Schedule] | None = None, *, monitor: str | None = None
    ) -> None:
        self.schedule = schedule
        self.monitor = monitor
        self.formulas: dict[str, Explanation] = {}
        self._handles: list[RemovableHandle] = []

    def on_fit_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        self._handles = [attach(optimizer, pl_module) for optimizer in trainer.optimizers]

    def on_before_optimizer_step(
        self, trainer: Trainer, pl_module: LightningModule, optimizer: Optimizer
    ) -> None:
        if self.schedule is None:
            return
        loss = trainer.callback_metrics.get(self.monitor) if self.monitor else None
        latest = math.inf if loss is None else float(loss)
        total = penalty(pl_module, trainer.global_step, self.schedule, latest)
        if total.requires_grad:
            _add_gradient(total, optimizer)

    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        pl_module.log("nalm/sparsity_error", sparsity_error(pl_module).detach())
        self.formulas = explain_parts(pl_module)
        for logger in trainer.loggers:
            if not hasattr(logger.experiment, "add_text"):
                continue
            for name, found in self.formulas.items():
                logger.experiment.add_text(f"nalm/formula/{name}", str(found), trainer.global_step)

    def teardown(self, trainer: Trainer, pl_module: LightningModule, stage: str) -> None:
        for handle in self._handles:
            handle.remove()
        self._handles = []


def _add_gradient(total: torch.Tensor, optimizer: Optimizer) -> None:
    """Add a scalar's gradient to those of the optimiser's parameters.

    By `autograd.grad`, not `backward`: hooks that wait for the loss's gradient, such as those of
    data-parallel training, must not see a second one. Every process adds the same.
    """
    parameters: list[nn.Parameter] = [
        parameter
        for group in optimizer.param_groups
        for parameter in group["params"]
        if parameter.requires_grad
    ]
    gradients: tuple[Any, ...] = torch.autograd.grad(total, parameters, allow_unused=True)
    for parameter, gradient in zip(parameters, gradients, strict=True):
        if gradient is not None:
            parameter.grad = gradient if parameter.grad is None else parameter.grad + gradient
