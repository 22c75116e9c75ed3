"""Epidemics: conservation, a solution in closed form, and what is held out."""

import numpy as np
import pytest

from nalm.tasks.epidemic import EPIDEMICS, STARTS, Epidemic, EpidemicTask, course


@pytest.mark.parametrize("name", EPIDEMICS)
def test_nobody_is_lost(name: str) -> None:
    states = course(name, STARTS[0])
    assert np.allclose(states.sum(axis=1), sum(STARTS[0]), atol=1e-9)
    assert (states > 0).all()


def test_slopes_by_hand() -> None:
    model = Epidemic(beta=0.5, alpha=0.25, eta=0.05, kappa=0.5, gamma=0.5)
    # f = ½·√0.36·√0.25 = 0.15
    assert np.allclose(model.slopes(np.array([0.36, 0.25, 0.4])), [-0.13, 0.0875, 0.0425])


def test_the_course_follows_the_slopes() -> None:
    before, after = EpidemicTask("SIR").training()
    model = EPIDEMICS["SIR"]
    # A state a week later lies between what the slopes at both ends would give, to second order.
    mean = (model.slopes(before) + model.slopes(after)) / 2
    assert np.abs(after - before - mean).max() < 0.02


def test_test_is_on_larger_populations() -> None:
    task = EpidemicTask("fractional SIR")
    sets = task.evaluated_on()
    assert np.allclose(sets["validation"][0].sum(axis=1), 1)
    assert np.allclose(sets["test"][0].sum(axis=1), 2)
    training = {tuple(row) for row in task.training()[0].round(9)}
    assert not training & {tuple(row) for row in sets["validation"][0].round(9)}


def test_a_batch_is_everything() -> None:
    task = EpidemicTask("SIR")
    with pytest.raises(ValueError, match="batch_size=200"):
        task.supplier(64)
    with pytest.raises(ValueError, match="there are SIR"):
        EpidemicTask("SEIR")
