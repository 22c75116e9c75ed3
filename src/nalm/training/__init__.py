"""How it is learnt: the engine that trains many runs at once, recipes, schedules, penalties, projection."""

from nalm.training.attach import attach, parameter_groups, penalty
from nalm.training.engine import train, train_chunks
from nalm.training.head import HeadSolution, solve_head
from nalm.training.initial import initial_parameters
from nalm.training.recipes import Recipe
from nalm.training.run import Curve, Run
from nalm.training.rz import rz_penalty
from nalm.training.schedules import Constant, Ramp, Schedule, Staircase, Triggered
from nalm.training.structure import Chunk, Structure, chunks

__all__ = [
    "Chunk",
    "Constant",
    "Curve",
    "HeadSolution",
    "Ramp",
    "Recipe",
    "Run",
    "Schedule",
    "Staircase",
    "Structure",
    "Triggered",
    "attach",
    "chunks",
    "initial_parameters",
    "parameter_groups",
    "penalty",
    "rz_penalty",
    "solve_head",
    "train",
    "train_chunks",
]
