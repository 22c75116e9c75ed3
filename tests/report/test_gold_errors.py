"""Errors of exact solutions near zero."""

from pathlib import Path

import pytest

from nalm.report.gold_errors import draw_gold_errors, gold_error


@pytest.mark.parametrize(
    ("end", "published"), [(1e-8, 3.74e7), (1e-6, 7.06e3), (1e-4, 0.302), (1e-2, 1.43e-5), (1.0, 9.27e-10)]
)
def test_reciprocals_of_the_real_npu_without_epsilon(end: float, published: float) -> None:
    # Rounding differs between processors, and one sample near 0 makes up most of the error.
    assert gold_error("Real NPU, ε = 0", "1/a", end) == pytest.approx(published, rel=0.2)


def test_what_an_epsilon_costs() -> None:
    """As published, the Real NPU pays for its ε and the NMRU, which evaluates without one, does not (D13)."""
    errors = {
        unit: gold_error(unit, "a/b", 1e-2)
        for unit in ("Real NPU", "Real NPU, ε = 0", "NMRU", "NMRU, ε in evaluation too")
    }
    assert errors["Real NPU"] == pytest.approx(8.685083, rel=0.02)
    assert errors["NMRU, ε in evaluation too"] == pytest.approx(errors["Real NPU"], rel=0.02)
    assert max(errors["NMRU"], errors["Real NPU, ε = 0"]) < 1e-6


def test_the_figure_is_written(tmp_path: Path) -> None:
    assert all(path.exists() for path in draw_gold_errors(tmp_path, "gold", ends=(1e-2, 1.0)))
