"""How units are put together, and what holds for any model that contains some."""

from nalm.networks.architecture import Architecture, Layer
from nalm.networks.citation import citation
from nalm.networks.explain import Explanation, explain
from nalm.networks.from_expression import FormulaNetwork, from_expression
from nalm.networks.inputs import record_inputs
from nalm.networks.model import boxes, penalties, project, sparsity_error, units_in
from nalm.networks.stack import Stack

__all__ = [
    "Architecture",
    "Explanation",
    "FormulaNetwork",
    "Layer",
    "Stack",
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
