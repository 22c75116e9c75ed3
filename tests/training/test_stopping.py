"""When a decided run ends."""

import numpy as np
import pytest

from nalm.training.stopping import Stop, rounded_down


def test_a_run_ends_some_rows_after_its_first_error_below_the_threshold() -> None:
    errors = np.array([3.0, 0.5, 4.0, 0.2, 0.1])
    assert Stop(below=1.0, rows=0).row(errors) == 1
    assert Stop(below=1.0, rows=3).row(errors) == 4
    assert Stop(below=1.0, rows=4).row(errors) is None
    assert Stop(below=0.05).row(errors) is None


def test_nothing_is_below_nan() -> None:
    assert Stop(below=1.0, rows=0).row(np.array([np.nan, np.inf])) is None


def test_an_error_of_exactly_the_threshold_is_not_below_it() -> None:
    assert Stop(below=1.0, rows=0).row(np.array([1.0])) is None


@pytest.mark.parametrize("threshold", [0.16002610725252636, 1.3866666666540439e-08, 123456.789, 2.0])
def test_a_threshold_is_never_rounded_up(threshold: float) -> None:
    found = rounded_down(threshold)
    assert threshold * (1 - 1.1e-5) < found <= threshold
    assert found == float(f"{found:.6g}")


def test_rules_without_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="positive test error"):
        Stop(below=0.0)
    with pytest.raises(ValueError, match="rows later"):
        Stop(below=1.0, rows=-1)
