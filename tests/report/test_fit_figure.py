"""Data against the formula's predictions."""

from pathlib import Path

import numpy as np
import pytest

from nalm.report.fit_figure import SUFFIXES, draw_fit


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_same_data_give_the_same_file(tmp_path: Path, suffix: str) -> None:
    data = np.arange(5.0)
    paths = [tmp_path / f"{name}{suffix}" for name in "ab"]
    for path in paths:
        draw_fit(path, data, np.array([0.1, 0.9, 2.0, np.nan, np.inf]), "energy")
    if suffix != ".svg":  # matplotlib draws the identifiers in SVG files at random
        assert paths[0].read_bytes() == paths[1].read_bytes()
    assert paths[0].stat().st_size > 1000
