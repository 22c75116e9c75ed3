"""Division near zero as data, and the published errors of exact solutions."""

import numpy as np
import pytest

from nalm.measuring.outcome import measure
from nalm.studies.division_small import DIVISION_SMALL, LEEWAY
from nalm.studies.study import Cell
from nalm.training.run import Curve


def only(unit: str, label: str) -> Cell:
    (cell,) = (c for c in DIVISION_SMALL.cells if (c.unit, c.label) == (unit, label))
    return cell


@pytest.mark.parametrize(
    ("unit", "label", "published"),
    [
        ("NRU", "easy [0, 0.01)", 3.63678e-7),
        ("NMRU", "easy [0, 0.01)", 3.63525e-7),
        ("Real NPU (modified)", "easy [0, 0.001)", 2.046349e9),
        ("Real NPU (modified)", "easy [0, 1)", 0.005590016),
        ("NRU", "medium [0, 0.1)", 1.26298e-7),
        ("Real NPU (modified)", "medium [0, 1)", 0.01345053),
        ("NRU", "hard [0, 0.0001)", 1.192188e-7),
        ("NMRU", "medium [0, 0.01)", 1.75975e-7),
        ("NMRU", "easy [0, 0.0001)", 3.66919e-3),
        ("NMRU", "medium [0, 0.0001)", 2.80800e-3),
        ("NMRU", "hard [0, 0.0001)", 3.27290e-2),
        ("NMRU", "hard [0, 0.001)", 8.96773e-5),
        ("NMRU", "hard [0, 0.01)", 5.59154e-7),
        ("Real NPU (modified)", "hard [0, 0.1)", 0.09694124),
        ("Real NPU (modified, ε = 0)", "hard [0, 0.0001)", 1.2e-7),
    ],
)
def test_gold_thresholds_are_the_published_ones(unit: str, label: str, published: float) -> None:
    # Rounding errors of powers differ between processors.
    assert DIVISION_SMALL.limit(only(unit, label)) == pytest.approx(LEEWAY * published, rel=0.02)


def test_the_exact_nmru_divides_better_than_the_published_one() -> None:
    # The reference adds W·z + 1 first and takes W away after: a small z loses its last digits.
    assert DIVISION_SMALL.limit(only("NMRU (exact)", "hard [0, 0.01)")) / LEEWAY < 1.2e-7 < 5.59154e-7


def test_an_error_equal_to_the_gold_error_passes() -> None:
    cell = only("NRU", "hard [0, 1)")
    limit = DIVISION_SMALL.limit(cell)
    row = np.array([0])
    for error, success in ((limit / LEEWAY, True), (1.05 * limit, False)):
        curve = Curve(row, np.array([0.0]), np.array([error]), np.array([0.0]))
        assert measure(curve, limit).success is success


def test_the_easy_task_has_no_penalty() -> None:
    for unit in ("Real NPU (modified)", "NRU", "NMRU"):
        cell = only(unit, "easy [0, 1)")
        assert cell.recipe.penalties == ()
        assert cell.recipe.iterations == 5_000
        assert only(unit, "medium [0, 1)").recipe.iterations == 50_000
    options = dict(only("Real NPU (modified)", "easy [0, 1)").architecture.layers[0].options)
    assert options == {"clip": "wg", "discretise": None, "initial": "constrained"}
