"""The reach of batch noise."""

from pathlib import Path

import pytest

from nalm.report.batch_noise import deviation, draw_batch_noise, upper_bound
from nalm.tasks.arithmetic import RANGES


def test_narrow_ranges_get_the_most_noise() -> None:
    # U[1.1, 1.2) has σ = 0.1/√12; 25 of them added up have five times that.
    narrow = RANGES["[1.1, 1.2)"][0]
    assert upper_bound(deviation(narrow)) == pytest.approx(1 + 12**0.5 / 0.1)
    assert upper_bound(deviation(narrow, terms=25)) == pytest.approx(1 + 12**0.5 / 0.5)


def test_the_figure_is_written(tmp_path: Path) -> None:
    assert all(path.exists() for path in draw_batch_noise(tmp_path, "noise"))
