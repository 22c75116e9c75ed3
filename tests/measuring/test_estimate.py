import math

import pytest

from nalm.measuring.estimate import Estimate, student_t


def test_student_t_by_hand():
    """1, 2, 3: mean 2, standard error 1/√3, t(2) = 4.302653."""
    estimate = student_t([1.0, 2.0, 3.0])
    assert estimate.value == 2
    assert estimate.low == pytest.approx(2 - 4.302653 / math.sqrt(3), rel=1e-6)
    assert estimate.high == pytest.approx(2 + 4.302653 / math.sqrt(3), rel=1e-6)


def test_student_t_is_cut_off_at_bounds():
    assert student_t([0.1, 0.4], 0.0, 0.5) == Estimate(0.25, 0.0, 0.5, 2)


def test_one_or_no_value_has_no_interval():
    assert student_t([7.0]).value == 7
    assert math.isnan(student_t([7.0]).low)
    assert math.isnan(student_t([]).value)
    assert student_t([]).n == 0


def test_containment():
    estimate = Estimate(0.5, 0.4, 0.6, 9)
    assert 0.4 in estimate
    assert 0.61 not in estimate
