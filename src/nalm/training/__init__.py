"""How it is learnt: schedules, penalties and projection."""

from nalm.training.attach import attach, penalty
from nalm.training.rz import rz_penalty
from nalm.training.schedules import Constant, Ramp, Schedule, Steps, Triggered

__all__ = ["Constant", "Ramp", "Schedule", "Steps", "Triggered", "attach", "penalty", "rz_penalty"]
