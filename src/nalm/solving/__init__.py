"""How it is solved: exact weights and formulas by algebra and second-order fits, then verified."""

from nalm.solving.answer import Status
from nalm.solving.formula.regressor import ArithmeticRegressor
from nalm.solving.formula.report import FormulaReport
from nalm.solving.network.solution import Solution
from nalm.solving.network.solve import solve
from nalm.solving.program.annealing import AnnealedFit, fit_selector
from nalm.solving.program.exhaustive import ProgramSearch, lines_to_write, search_programs
from nalm.solving.program.space import program_space

__all__ = [
    "AnnealedFit",
    "ArithmeticRegressor",
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
