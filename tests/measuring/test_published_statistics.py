"""The published computation, on per-run values whose published summary is known to all digits.

Values and summaries: the per-run table and the summary table that accompany 001 (stable-nalu,
`paper/results/sft-last.csv` and `sft-short.csv`).
"""

import math

import numpy as np
import pytest

from nalm.measuring import published_statistics
from nalm.measuring.estimate import student_t

LINEAR_SUBTRACTION = {
    "steps": [2384000, 4621000, 3248000, 4000, 3332000, 3440000, 4261000],
    "errors": [
        0.48470985889434814,
        0.372726708650589,
        0.38637831807136536,
        1.0018022060394287,
        0.2985790967941284,
        0.05992426723241806,
        0.43599361181259155,
    ],
}
NAC_MUL_ROOT = {
    "steps": [4072000, 48000, 1058000, 400000, 305000, 4388000, 87000],
    "errors": [
        0.38439834117889404,
        0.4999861717224121,
        0.49696236848831177,
        0.4996691942214966,
        0.4989675283432007,
        0.4915494918823242,
        0.49983179569244385,
    ],
}


def check(estimate, value, low, high):
    assert estimate.value == pytest.approx(value, rel=1e-9)
    assert estimate.low == pytest.approx(low, rel=1e-9)
    assert estimate.high == pytest.approx(high, rel=1e-9)


def test_solved_at_that_profiling_dragged_away_from_the_sample_mean():
    estimate = published_statistics.gamma_mean(np.array(LINEAR_SUBTRACTION["steps"]))
    check(estimate, 1446751.4734793992, 836626.2757393775, 2147484.466919322)
    assert np.mean(LINEAR_SUBTRACTION["steps"]) == pytest.approx(3041429, abs=1)


def test_solved_at_that_stayed_at_the_sample_mean():
    estimate = published_statistics.gamma_mean(np.array(NAC_MUL_ROOT["steps"]))
    check(estimate, 1479714.2857141406, 921644.9505923265, 2076494.550525506)


def test_sparsity_errors_are_halved():
    estimate = published_statistics.beta_mean(np.array(LINEAR_SUBTRACTION["errors"]))
    check(estimate, 0.17611058502027438, 0.11805021625167934, 0.248256538732922)
    estimate = published_statistics.beta_mean(np.array(NAC_MUL_ROOT["errors"]))
    check(estimate, 0.24072443398157184, 0.22370309175614406, 0.25785910480348817)
    assert np.mean(NAC_MUL_ROOT["errors"]) == pytest.approx(0.4816, abs=1e-4)


def test_small_sparsity_errors_fall_back_to_students_t():
    """As all published means below 4e-5 did, with the right mean."""
    for scale in (4e-7, 1e-5):
        x = np.random.default_rng(0).gamma(8.0, scale / 8, 98)
        assert published_statistics.beta_mean(x) == student_t(x, 0.0, 0.5)
    larger = np.random.default_rng(0).gamma(8.0, 1e-3 / 8, 98)
    assert published_statistics.beta_mean(larger).value == pytest.approx(larger.mean() / 2, rel=0.01)


def test_equal_values_fall_back_to_students_t():
    """Three runs of NAC•,NMU took the same 1003000 iterations to the square root."""
    assert published_statistics.gamma_mean(np.full(3, 1003000.0)) == student_t([1003000.0] * 3)
    assert published_statistics.beta_mean(np.full(3, 0.1)).value == pytest.approx(0.1)


def test_few_values():
    assert math.isnan(published_statistics.gamma_mean(np.array([])).value)
    assert published_statistics.gamma_mean(np.array([2000.0])).value == 2000
    assert math.isnan(published_statistics.beta_mean(np.array([0.1])).low)
