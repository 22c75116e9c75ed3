"""Claims of the thesis that follow from formulas: what is computed, against hand-made numbers."""

import math

import pytest
import torch

from nalm.studies.claims import Finding
from nalm.studies.ledger import CLAIMS
from nalm.studies.ledger.thesis_division_traits import derivatives
from nalm.studies.ledger.thesis_near_zero import solution_errors


def finding(id: str) -> Finding:
    (claim,) = (claim for claim in CLAIMS if claim.id == id)
    return claim.finding(None)  # type: ignore[arg-type]  # formulas need no evidence


def test_derivatives_of_an_nru_are_those_of_equation_5_3() -> None:
    weight, x = 0.0004, -1.0
    tanh = math.tanh(1000 * weight)
    sech2 = 1 - tanh**2
    # d/dw of sign(x)|x|^w T + 1 − T with T = tanh²(1000 w), at |x| = 1: (sign(x) − 1) dT/dw.
    by_hand = (-1 - 1) * 2 * tanh * sech2 * 1000
    found = derivatives(x, torch.tensor([weight], dtype=torch.float64))
    assert float(found) == pytest.approx(by_hand, rel=1e-9)


def test_the_derivative_at_minus_one_does_not_vanish() -> None:
    found = finding("002-s5.9-gradient-ones")
    assert found.verdict == "not reproduced"
    assert "at x = 1" in found.evidence[0]
    assert finding("002-s5.9-gradient-zero").verdict == "reproduced"


def test_errors_of_solutions_are_the_published_thresholds() -> None:
    # 002's code ships them for the NRU and the Real NPU; the NRU's on a/b hardly depend on the range.
    errors = dict(solution_errors())
    nru = [found["NRU"] for found in errors["hard"]]
    assert nru == pytest.approx([1.192e-7] * 5, rel=1e-2)
    assert errors["medium"][-1]["Real NPU (modified)"] == pytest.approx(0.01345053, rel=1e-2)
    assert finding("002-s5.8-gold-nearer").verdict == "not reproduced"
    assert "NRU (hard)" in finding("002-s5.8-gold-nearer").evidence[0]
    assert finding("002-s5.8-gold-real-npu").verdict == "reproduced"
    assert finding("002-s5.8-gold-epsilon").verdict == "reproduced"
