"""The NAC•'s expectation against sampling."""

from pathlib import Path

import numpy as np
import pytest

from nalm.report.expectation_figure import approximated, draw_expectation, exact


@pytest.mark.parametrize(("weights", "inputs"), [(0.1, 5.0), (0.4, 50.0), (0.5, 0.5)])
def test_the_integral_is_the_mean_of_samples(weights: float, inputs: float) -> None:
    rng = np.random.default_rng(0)
    w, z = rng.uniform(-weights, weights, 400_000), rng.uniform(0, inputs, 400_000)
    assert exact(weights, inputs) == pytest.approx(float(np.mean((z + 1e-7) ** w)), rel=3e-3)


def test_the_approximation_by_hand() -> None:
    assert approximated(0.3, 2 * np.e) == pytest.approx(1 + 0.09 / 3 / 2)


def test_the_expectation_is_above_one() -> None:
    assert all(exact(w, z) > 1 for w in (0.05, 0.5) for z in (0.5, 2.0, 20.0))


def test_the_figure_is_written(tmp_path: Path) -> None:
    assert [path.suffix for path in draw_expectation(tmp_path, "error", points=3)] == [".png", ".pdf"]
