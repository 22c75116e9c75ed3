"""What a solution says of itself."""

import pytest
import sympy
import torch

from nalm import NAU, NMU, Solution, Status, solve
from nalm.solving.network.solution import EXACT, SolutionEvidence


def evidence(**changes):
    numbers = {
        "error_before": 1e-7,
        "error_after": 1e-7,
        "error_of_network": 1e-7,
        "rounding": 0.5,
        "standard_error": 1e-8,
        "restarts": 0,
        "structures": 1,
        "samples": (80, 20),
        "seconds": 0.01,
    }
    return SolutionEvidence(**numbers | changes)


def fitted(weight):
    unit = NAU(2, 1)
    unit.assign(weight=torch.tensor([weight]))
    return unit


def test_verified_weights_are_read_as_discrete():
    solution = Solution(fitted([1.0, -1.0]), Status.VERIFIED, evidence())
    assert str(solution.formula) == "x1 - x2"
    assert "x1 - x2\nverified" in str(solution)


def test_unverified_weights_are_read_as_they_are():
    solution = Solution(fitted([0.5, -0.25]), Status.NOT_DISCRETE, evidence(error_after=3.0))
    assert str(solution.formula) == "0.5*x1 - 0.25*x2"
    assert "not verified (NOT_DISCRETE)" in str(solution)
    assert "in between" in solution.reason


@pytest.mark.parametrize(("rounding", "exact"), [(0.3, True), (EXACT, True), (1e5, False)])
def test_exactness_is_about_rounding(rounding, exact):
    assert Solution(fitted([1.0, 1.0]), Status.VERIFIED, evidence(rounding=rounding)).exact is exact


def test_several_outputs_make_a_tuple():
    x = torch.rand(50, 2) + 1
    solution = solve(NMU(2, 2), x, torch.stack([x[:, 0], x[:, 0] * x[:, 1]], dim=-1))
    assert isinstance(solution.formula, sympy.Tuple)
    assert str(solution.formula) == "(x1, x1*x2)"
