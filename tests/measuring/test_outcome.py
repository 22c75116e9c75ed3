"""The published selection rules on curves small enough to judge by eye."""

from types import SimpleNamespace

import numpy as np
import pytest

from nalm.measuring import Outcome, measure

NAN = float("nan")


def curve(validation, test, sparsity=None, diverged_at=None, stopped_at=None):
    rows = len(validation)
    return SimpleNamespace(
        iterations=np.arange(rows) * 1000,
        validation=np.array(validation, dtype=float),
        test=np.array(test, dtype=float),
        sparsity=np.array(sparsity if sparsity is not None else np.arange(rows) / 100, dtype=float),
        diverged_at=diverged_at,
        stopped_at=stopped_at,
    )


def test_success_is_judged_at_the_lowest_validation_error():
    outcome = measure(curve([4, 2, 1, 3], [9, 9, 0.5, 0.1]), threshold=1.0)
    assert outcome == Outcome(True, solved_at=2000, sparsity_error=0.02, best_iteration=2000)


def test_a_test_error_below_the_threshold_elsewhere_does_not_count():
    outcome = measure(curve([4, 2, 1, 3], [9, 0.1, 5, 0.1]), threshold=1.0)
    assert outcome == Outcome(False, None, None, best_iteration=2000)


def test_solved_at_is_the_first_row_below_the_threshold():
    """Not the selected one, and even if the error rises above it again."""
    outcome = measure(curve([5, 4, 3, 1], [9, 0.5, 9, 0.5]), threshold=1.0)
    assert (outcome.solved_at, outcome.best_iteration) == (1000, 3000)


def test_the_comparison_is_strict_unless_told_otherwise():
    tie = curve([1], [1.0])
    assert not measure(tie, threshold=1.0).success
    assert measure(tie, threshold=1.0, strict=False).success


def test_only_the_last_rows_are_eligible():
    rows = curve([0, 3, 2, 3], [0.5, 9, 0.5, 9])
    assert measure(rows, threshold=1.0, window=3).best_iteration == 2000
    assert measure(rows, threshold=1.0, window=3).solved_at == 0
    assert measure(rows, threshold=1.0).best_iteration == 0


def test_the_default_window_drops_the_first_of_5001_rows():
    validation = np.full(5001, 1.0)
    validation[0] = 0.0
    assert measure(curve(validation, validation), threshold=0.5).best_iteration == 1000


def test_the_first_of_equal_minima_is_selected():
    assert measure(curve([2, 1, 1], [9, 9, 9]), threshold=1.0).best_iteration == 1000


def test_nan_is_ignored_in_the_selection_and_fails_as_test_error():
    assert measure(curve([NAN, 2, NAN], [9, 0.5, 9]), threshold=1.0).best_iteration == 1000
    assert not measure(curve([1, 2], [NAN, 9]), threshold=1.0).success


def test_a_run_without_any_number_is_a_failure_at_its_last_row():
    outcome = measure(curve([NAN, NAN], [NAN, NAN], diverged_at=17), threshold=1.0)
    assert outcome == Outcome(False, None, None, best_iteration=1000, diverged_at=17)


def test_an_empty_curve_is_refused():
    with pytest.raises(ValueError, match="no rows"):
        measure(curve([], []), threshold=1.0)


def test_a_run_that_was_stopped_is_decided_by_its_touch() -> None:
    """Whatever row validation selects so early."""
    rows = [4, 2, 1, 3], [9, 0.5, 2, 3]
    assert not measure(curve(*rows), threshold=1.0).success
    stopped = curve(*rows, stopped_at=3000)
    outcome = measure(stopped, threshold=1.0)
    assert (outcome.success, outcome.solved_at, outcome.best_iteration) == (True, 1000, 2000)
    assert not measure(stopped, threshold=0.1).success
