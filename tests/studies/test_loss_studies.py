"""The studies of losses as data, and why the mean squared error says so little."""

import pytest
import torch

from nalm import NAU, NMU, Stack
from nalm.studies.loss_studies import DIVISION_LOSS, TWO_LAYER_LOSS
from nalm.studies.study import Cell, Selection, Study

SELECTIONS = {
    "right": [[0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 1.0, 1.0]],
    "right, not converged": [[0.0, 0.9, 1.0, 0.0], [0.0, 0.0, 1.0, 1.0]],
    "wrong, not converged": [[0.0, 0.0, 1.0, 0.9], [0.0, 0.0, 1.0, 1.0]],
}


@pytest.mark.parametrize(
    ("case", "wide", "narrow"),
    [
        ("right", 35.0, 5.1075),
        ("right, not converged", 33.6, 4.85326),
        ("wrong, not converged", 46.2, 4.89412),
    ],
)
def test_the_worked_example_of_table_6_2(case: str, wide: float, narrow: float) -> None:
    stack = Stack(NAU(4, 2), NMU(2, 1))
    stack.layers[0].assign(weight=torch.tensor(SELECTIONS[case]))
    stack.layers[1].assign(weight=torch.ones(1, 2))
    x = torch.tensor([[1.0, 2.0, 3.0, 4.0], [1.11, 1.12, 1.13, 1.14]])
    outputs = stack(x)[:, 0].tolist()
    assert outputs == pytest.approx([wide, narrow], abs=1e-4)


def only(study: Study, unit: str) -> Cell:
    (cell,) = study.select(Selection(units=(unit,), ranges=("[1, 2)",)))
    return cell


def test_losses_of_two_layers() -> None:
    assert only(TWO_LAYER_LOSS, "NMU, MAPE").recipe.loss == "mape"
    switching = only(TWO_LAYER_LOSS, "sNMU, PCC-MSE").recipe
    assert (switching.loss, switching.then) == ("pcc", (750_000, "mse"))
    assert len(TWO_LAYER_LOSS.cells) == 2 * 4 * 9


def test_losses_of_division() -> None:
    assert {cell.inputs for cell in DIVISION_LOSS.cells} == {10}
    assert only(DIVISION_LOSS, "NRU, PCC").recipe.loss == "pcc"
    assert only(DIVISION_LOSS, "NMRU, PCC-MSE").recipe.then == (50_000, "mse")
    assert len(DIVISION_LOSS.cells) == 3 * 4 * 9
