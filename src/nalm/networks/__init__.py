"""How units are put together, and what holds for any model that contains some."""

from nalm.networks.annealed_selector import AnnealedSelector
from nalm.networks.architecture import Architecture, Layer, ModuleNetwork
from nalm.networks.block import Block, Step
from nalm.networks.candidates import Candidates
from nalm.networks.citation import citation
from nalm.networks.closed_form import last_line_losses
from nalm.networks.explain import Explanation, Formulas, explain, explain_parts
from nalm.networks.from_expression import FormulaNetwork, from_expression
from nalm.networks.frozen_selector import FrozenSelector
from nalm.networks.gated_choice import Gated
from nalm.networks.in_turn import InTurn
from nalm.networks.inputs import record_inputs
from nalm.networks.model import boxes, penalties, project, sparsity_error, units_in
from nalm.networks.program import Line, Program
from nalm.networks.recurrent_selector import RecurrentSelector
from nalm.networks.stack import Stack
from nalm.networks.three_steps import SumProductSum

__all__ = [
    "AnnealedSelector",
    "Architecture",
    "Block",
    "Candidates",
    "Explanation",
    "FormulaNetwork",
    "Formulas",
    "FrozenSelector",
    "Gated",
    "InTurn",
    "Layer",
    "Line",
    "ModuleNetwork",
    "Program",
    "RecurrentSelector",
    "Stack",
    "Step",
    "SumProductSum",
    "boxes",
    "citation",
    "explain",
    "explain_parts",
    "from_expression",
    "last_line_losses",
    "penalties",
    "project",
    "record_inputs",
    "sparsity_error",
    "units_in",
]
