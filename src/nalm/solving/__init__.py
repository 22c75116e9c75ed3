"""How it is solved: exact weights and formulas by algebra and second-order fits, verified on held-out data."""

from nalm.solving.result import Evidence, Solution, Verdict
from nalm.solving.solver import solve

__all__ = ["Evidence", "Solution", "Verdict", "solve"]
