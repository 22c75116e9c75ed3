import pytest
import sympy
import torch

from nalm.networks.specialists import SPECIALISTS

SLOTS = [torch.tensor([2.0]), torch.tensor([-4.0]), torch.tensor([5.0])]
EXPECTED = {"add": -2.0, "sub": 2.0, "mul": -8.0, "div": -0.125}


@pytest.mark.parametrize(("name", "value"), EXPECTED.items())
def test_selected_slots_are_read_and_others_are_neutral(name, value):
    masks = [torch.tensor([float(keep)]) for keep in (1, 1, 0)]
    assert SPECIALISTS[name].apply(SLOTS, masks).item() == pytest.approx(value, rel=1e-6)
    assert SPECIALISTS[name].formula([sympy.Integer(2), sympy.Integer(-4)]) == sympy.nsimplify(value)


@pytest.mark.parametrize(("name", "value"), [("add", 0), ("sub", 0), ("mul", 1), ("div", 1)])
def test_nothing_selected_gives_the_neutral_element(name, value):
    assert SPECIALISTS[name].apply(SLOTS, [torch.zeros(1)] * 3).item() == value
    assert SPECIALISTS[name].formula([]) == value


def test_dividing_by_an_empty_slot_stays_finite():
    one, zero = torch.ones(1), torch.zeros(1)
    assert SPECIALISTS["div"].apply([zero], [one]).item() == pytest.approx(2.0**23)
