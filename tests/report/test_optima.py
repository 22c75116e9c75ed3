"""Local optima of the NMU."""

from pathlib import Path

import numpy as np
import pytest

from nalm.report.optima import draw_journeys, draw_landscape, journeys, landscape


def test_both_minima_of_figure_4_1_have_no_error() -> None:
    # On the line w₁ = −1/6 the error vanishes at w₂ = −½, on w₁ = 1 at w₂ = 1.
    weights, error = landscape(points=16, low=-1.0, high=1.5)  # steps of 1/6
    at = {round(float(w) * 6): index for index, w in enumerate(weights)}
    assert error[at[6], at[6]] == pytest.approx(0, abs=1e-20)
    assert error[at[-3], at[-1]] == pytest.approx(0, abs=1e-20)
    assert error[at[0], at[0]] == pytest.approx((1 - 3.6) ** 2)


def test_the_snmu_succeeds_from_more_starting_points() -> None:
    nmu, snmu = (journeys(unit, step=0.25) for unit in ("NMU", "sNMU"))
    assert nmu.starts.shape == (25, 2)
    assert 0 < nmu.rate < snmu.rate
    # Failures end at 0, successes at 1.
    np.testing.assert_allclose(nmu.ends, np.repeat(nmu.success[:, None], 2, axis=1), atol=0.05)


def test_the_figures_are_written(tmp_path: Path) -> None:
    paths = draw_landscape(tmp_path, "landscape", points=11) + draw_journeys(tmp_path, "starts", step=0.5)
    assert all(path.stat().st_size > 1000 for path in paths)
