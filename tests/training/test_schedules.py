"""Penalty strengths by iteration."""

import numpy as np
import pytest

from nalm import Constant, Ramp, Staircase, Triggered


def test_ramp_is_linear_between_its_ends() -> None:
    ramp = Ramp(10.0, start=20_000, end=35_000)
    assert [ramp(i) for i in (0, 20_000, 21_500, 35_000, 10**7)] == [0.0, 0.0, 1.0, 10.0, 10.0]


def test_staircases_multiply_until_the_end_is_reached() -> None:
    beta = Staircase(1e-7, 1e-5)
    values = [beta(i) for i in (0, 9_999, 10_000, 19_999, 20_000, 30_000, 10**6)]
    assert values == pytest.approx([1e-7, 1e-7, 1e-6, 1e-6, 1e-5, 1e-5, 1e-5])
    assert Staircase(1.0, 5.0, growth=2.0, every=1)(10) == 8.0  # 4 is below 5, so it doubles once more
    assert Staircase(3.0, 3.0)(10**6) == 3.0


@pytest.mark.parametrize("exponent", range(-12, 0))
def test_staircases_never_overshoot_by_a_rounding_error(exponent: int) -> None:
    end = float(f"1e{exponent}")
    assert Staircase(1e-14, end)(10**9) == pytest.approx(end)


def test_triggered_needs_both_conditions() -> None:
    rule = Triggered(0.05, after=10, below=1.0)
    assert rule(11, 0.9) == 0.05
    assert rule(10, 0.9) == 0.0
    assert rule(11, 1.0) == 0.0
    with pytest.raises(ValueError, match="latest validation loss"):
        rule(11)


def test_impossible_schedules_are_refused() -> None:
    with pytest.raises(ValueError, match="must end after it starts"):
        Ramp(1.0, start=5, end=5)
    with pytest.raises(ValueError, match="Staircase needs"):
        Staircase(1e-5, 1e-7)


def test_schedules_are_data() -> None:
    assert Ramp(1.0, 2, 3) == Ramp(1.0, 2, 3)
    assert len({Constant(1.0), Constant(1.0), Staircase(1.0, 2.0)}) == 2


@pytest.mark.parametrize(
    "schedule", [Constant(0.3), Ramp(10.0, 20, 35), Staircase(1e-9, 1e-7, every=20), Triggered(0.05, 30, 1.0)]
)
@pytest.mark.parametrize("loss", [0.5, 1.5])
def test_strengths_over_many_iterations_are_those_of_each(schedule, loss):
    iterations = np.arange(15, 55)
    assert schedule.over(iterations, loss).tolist() == [schedule(int(i), loss) for i in iterations]
