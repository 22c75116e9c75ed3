"""Feature scaling as data."""

import pytest

from nalm.studies.scaling import SCALING, min_max, z_score
from nalm.studies.study import Selection
from nalm.tasks.sampling import Uniform


def test_statistics_of_a_product() -> None:
    assert min_max(Uniform(-2.0, 2.0)) == {"centre": 0.0, "factor": 0.5, "target_factor": 4.0}
    # U[0, 1): mean ½, variance 1/12; the product has mean ¼ and variance 1/9 − 1/16 = 7/144.
    scores = z_score(Uniform(0.0, 1.0))
    assert scores["factor"] == pytest.approx(12**0.5)
    assert scores["target_centre"] == 0.25
    assert scores["target_factor"] == pytest.approx((7 / 144) ** 0.5)
    assert scores["learnt"] is False


def test_with_and_without_penalty_on_every_range() -> None:
    assert len(SCALING.cells) == 9 * 3 * 2
    on, off = (
        SCALING.select(Selection(units=(f"z-score, penalty {state}",), ranges=("[1, 2)",)))[0]
        for state in ("on", "off")
    )
    assert [cell.recipe.penalties[0][1](50_000) for cell in (on, off)] == [10.0, 0.0]
    assert on.architecture == off.architecture
