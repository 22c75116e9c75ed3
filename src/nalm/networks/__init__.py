"""How units are put together, and what holds for any model that contains some."""

from nalm.networks.architecture import Architecture, Layer
from nalm.networks.block import Block, Step
from nalm.networks.citation import citation
from nalm.networks.explain import Explanation, explain
from nalm.networks.from_expression import FormulaNetwork, from_expression
from nalm.networks.frozen_selector import FrozenSelector
from nalm.networks.gated import Gated
from nalm.networks.inputs import record_inputs
from nalm.networks.model import boxes, penalties, project, sparsity_error, units_in
from nalm.networks.recurrent_selector import RecurrentSelector
from nalm.networks.stack import Stack

__all__ = [
    "Architecture",
    "Block",
    "Explanation",
    "FormulaNetwork",
    "FrozenSelector",
    "Gated",
    "Layer",
    "RecurrentSelector",
    "Stack",
    "Step",
    "boxes",
    "citation",
    "explain",
    "from_expression",
    "penalties",
    "project",
    "record_inputs",
    "sparsity_error",
    "units_in",
]
