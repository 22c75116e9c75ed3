"""Thresholds from a baseline's runs."""

import math

import numpy as np
import pytest
from scipy import stats

from nalm.measuring.baseline import corrected, product_as_published, sum_as_published, upper_end

ERRORS = {seed: 1.0 + 0.1 * seed for seed in range(10)}


def test_the_correct_one_uses_all_runs_and_their_freedom() -> None:
    values = np.array(list(ERRORS.values()))
    interval = stats.t.interval(0.98, 9, values.mean(), stats.sem(values))
    assert corrected(ERRORS) == pytest.approx(interval[1])


def test_the_published_ones_pick_seeds_and_fix_the_freedom() -> None:
    picked = np.array([ERRORS[seed] for seed in (0, 2, 4, 5, 6, 7, 9)])
    assert product_as_published(ERRORS) == pytest.approx(picked.mean() + 2.8965 * stats.sem(picked), rel=1e-4)
    launched = np.array([ERRORS[seed] for seed in range(1, 10)])
    assert sum_as_published(ERRORS) == pytest.approx(launched.mean() + 2.8965 * stats.sem(launched), rel=1e-4)


def test_one_run_sets_no_threshold() -> None:
    assert math.isnan(upper_end([1.0]))
    assert math.isnan(corrected({}))
