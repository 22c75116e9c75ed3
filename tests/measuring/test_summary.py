import math

import pytest

from nalm.measuring import Outcome, summarise


def solved(step, error):
    return Outcome(True, solved_at=step, sparsity_error=error, best_iteration=50_000)


FAILED = Outcome(False, None, None, best_iteration=0)


def test_means_are_over_solved_runs_only():
    summary = summarise([solved(1000, 0.1), solved(2000, 0.2), solved(6000, 0.3), FAILED])
    assert (summary.success.value, summary.success.n) == (0.75, 4)
    assert summary.solved_at.value == pytest.approx(3000)
    assert summary.solved_at.n == 3
    assert summary.solved_at_median == 2000
    assert summary.sparsity_error.value == pytest.approx(0.2, abs=2e-3)


def test_published_statistics_halve_the_sparsity_error():
    runs = [solved(1000 * i, 0.02 * i) for i in range(1, 16)]
    assert summarise(runs, "published").sparsity_error.value == pytest.approx(0.08, rel=0.02)
    assert summarise(runs).sparsity_error.value == pytest.approx(0.16, rel=0.02)


def test_nothing_solved():
    summary = summarise([FAILED] * 3)
    assert summary.success.value == 0
    assert math.isnan(summary.solved_at.value)
    assert math.isnan(summary.solved_at_median)
    assert math.isnan(summary.sparsity_error.low)
