"""How it is solved: exact weights and formulas by algebra and second-order fits, then verified."""

from nalm.solving.discovery.result import Finding, FormulaReport
from nalm.solving.regressor import ArithmeticRegressor
from nalm.solving.result import Solution, Status
from nalm.solving.solver import solve

__all__ = ["ArithmeticRegressor", "Finding", "FormulaReport", "Solution", "Status", "solve"]
