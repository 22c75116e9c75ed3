"""How many seeds are enough."""

import numpy as np
import pytest

from nalm.measuring.counts import Count, mid_p
from nalm.measuring.seeds_needed import power, power_of_curve, seeds_for_direction


def test_power_is_the_share_of_samples_that_are_told_apart() -> None:
    rng = np.random.default_rng(0)
    published = Count(93, 100)
    solved = rng.binomial(20, 0.68, 4000)
    seen = np.mean([mid_p([(Count(int(k), 20), published)]) < 0.05 for k in solved])
    assert power(20, published, 0.25) == pytest.approx(seen, abs=0.03)


def test_more_runs_have_more_power_and_rates_stay_rates() -> None:
    assert power(40, Count(50, 100), 0.25) > power(15, Count(50, 100), 0.25)
    assert power(8, Count(0, 100), 0.2) >= 0.8 > power(3, Count(0, 100), 0.2)


def test_a_curve_has_the_power_of_all_its_points() -> None:
    point = (Count(5, 5), Count(50, 50))
    assert power_of_curve([point] * 9, 0.2) > 0.8 > power_of_curve([point], 0.2)
    assert power_of_curve([], 0.2) == 0


def test_seeds_for_a_direction_scale_what_was_observed() -> None:
    assert seeds_for_direction(2, 0, 25) == 57  # five wins, rounded
    assert seeds_for_direction(0, 0, 25) is None
