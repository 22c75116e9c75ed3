"""How it is solved: exact weights and formulas by algebra and second-order fits, then verified."""

from nalm.solving.annealing import AnnealedFit, fit_selector
from nalm.solving.discovery.result import Finding, FormulaReport
from nalm.solving.programs.search import ProgramSearch, lines_to_write, search_programs
from nalm.solving.programs.space import program_space
from nalm.solving.regressor import ArithmeticRegressor
from nalm.solving.result import Solution, Status
from nalm.solving.solver import solve

__all__ = [
    "AnnealedFit",
    "ArithmeticRegressor",
    "Finding",
    "FormulaReport",
    "ProgramSearch",
    "Solution",
    "Status",
    "fit_selector",
    "lines_to_write",
    "program_space",
    "search_programs",
    "solve",
]
