"""How units are put together, and what holds for any model that contains some."""

from nalm.networks.architecture import Architecture, Layer
from nalm.networks.citation import citation
from nalm.networks.explain import Explanation, explain
from nalm.networks.inputs import record_inputs
from nalm.networks.model import boxes, penalties, project, sparsity_error, units_in
from nalm.networks.stack import Stack

__all__ = [
    "Architecture",
    "Explanation",
    "Layer",
    "Stack",
    "boxes",
    "citation",
    "explain",
    "penalties",
    "project",
    "record_inputs",
    "sparsity_error",
    "units_in",
]
