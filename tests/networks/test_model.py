"""What holds for any model with units in it."""

import math

import pytest
import torch
from torch import nn

from nalm import NAU, NMU, Stack, boxes, penalties, project, sparsity_error, units_in


class Vision(nn.Module):
    """Somebody else's network with a unit deep inside and one shared."""

    def __init__(self) -> None:
        super().__init__()
        self.front = nn.Linear(4, 2)
        self.head = nn.ModuleDict({"sum": Stack(NAU(2, 2), NMU(2, 1))})
        self.again = self.head["sum"].layers[1]


def test_units_are_found_once_with_dotted_names() -> None:
    assert [name for name, _ in units_in(Vision())] == ["head.sum.layers.0", "head.sum.layers.1"]
    assert [name for name, _ in units_in(NMU(2, 1))] == [""]
    assert list(units_in(nn.Linear(2, 2))) == []


def test_penalties_are_summed_over_units() -> None:
    model = Vision()
    nau, nmu = (unit for _, unit in units_in(model))
    nau.assign(weight=torch.tensor([[0.25, -0.75], [1.0, 0.0]]))
    nmu.assign(weight=torch.tensor([[0.5, 0.9]]))
    # NAU: mean(.25, .25, 0, 0) = .125; NMU: mean(.5, .1) = .3
    assert penalties(model)["sparse"].item() == pytest.approx(0.425)
    assert penalties(nn.Linear(2, 2)) == {}


def test_penalty_has_a_gradient() -> None:
    unit = NMU(2, 1)
    unit.assign(weight=torch.tensor([[0.4, 0.6]]))
    penalties(unit)["sparse"].backward()
    assert unit.weight.grad is not None
    assert unit.weight.grad.tolist() == [[0.5, -0.5]]


def test_sparsity_error_is_the_worst_of_all_units() -> None:
    model = Vision()
    nau, nmu = (unit for _, unit in units_in(model))
    nau.assign(weight=torch.tensor([[0.25, -0.75], [1.0, 0.0]]))
    nmu.assign(weight=torch.tensor([[0.5, 0.9]]))
    assert sparsity_error(model).item() == 0.5
    assert math.isnan(sparsity_error(nn.Linear(2, 2)).item())


def test_a_diverged_unit_has_no_good_sparsity_error() -> None:
    model = Stack(NAU(2, 2), NMU(2, 1))
    model.layers[1].assign(weight=torch.tensor([[1.0, float("nan")]]))
    assert sparsity_error(model).isnan()


def test_boxes_name_the_parameters_of_the_model_and_project_respects_them() -> None:
    model = Vision()
    limits = boxes(model)
    assert limits == {"head.sum.layers.0.weight": (-1.0, 1.0), "head.sum.layers.1.weight": (0.0, 1.0)}
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.fill_(5.0)
    project(model)
    values = {name: parameter.unique().tolist() for name, parameter in model.named_parameters()}
    assert values["head.sum.layers.0.weight"] == [1.0]
    assert values["front.weight"] == [5.0]
