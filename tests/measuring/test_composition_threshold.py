import pytest

from nalm.measuring.composition_threshold import composition_threshold
from nalm.tasks import EXPRESSIONS, Uniform, composition


def test_a_sum_of_one_step_is_off_by_the_sum_of_all_inputs():
    task = composition("add", inputs=2, test=Uniform(3.0, 3.0 + 1e-9))
    assert composition_threshold(task, 1e-3) == pytest.approx((1e-3 * 6) ** 2, rel=1e-6)


def test_a_product_of_one_step_is_off_by_a_factor():
    task = composition("mul", inputs=3, test=Uniform(3.0, 3.0 + 1e-9))
    # 9·(exp(±ε·(2 + 3)) − 1), to first order.
    assert composition_threshold(task, 1e-5) == pytest.approx((9 * 5e-5) ** 2, rel=1e-3)


@pytest.mark.parametrize("name", ["sub-sub", "div-div", "mul-add"])
def test_it_grows_with_the_square_of_epsilon(name):
    small, large = (composition_threshold(composition(name), epsilon) for epsilon in (1e-6, 1e-5))
    assert large == pytest.approx(100 * small, rel=0.01)


def test_errors_of_two_steps_do_not_cancel():
    assert composition_threshold(composition("sub-sub")) == pytest.approx(
        composition_threshold(composition("add-add")), rel=0.02
    )


def test_every_expression_has_a_threshold_far_below_its_own_size():
    for name in EXPRESSIONS:
        task = composition(name)
        _, y = task.sample(1000, seed=3, extrapolation=True)
        assert 0 < composition_threshold(task) < 1e-6 * (y**2).mean()
