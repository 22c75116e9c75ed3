"""Formulas are read from whatever weights were kept of a run, at its end and on its way."""

import json

import numpy as np
import pytest

from nalm.networks.architecture import Architecture, Layer
from nalm.report.site.read_off import MOST, Reader
from nalm.training.run import Curve


@pytest.fixture
def reader() -> Reader:
    return Reader(Architecture((Layer("NAU", 2, 1),)), 2)


def kept(*weights: float) -> str:
    return json.dumps({"layers.0.weight": [list(weights)]})


def test_weights_are_rounded(reader: Reader) -> None:
    assert reader.formulas([kept(0.98, -0.9), kept(1.0, 0.1), "{}", json.dumps({"other": [1.0]})]) == [
        "a - b", "a", "", "",
    ]  # fmt: skip


def test_of_a_cell_some_formulas_are_read_and_known_ones_always(reader: Reader) -> None:
    corners = [kept(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    assert sum(map(bool, reader.formulas(corners))) == MOST
    assert all(reader.formulas(corners))


def test_weights_over_training_give_a_formula_at_every_row(reader: Reader) -> None:
    rows = {"weight layers.0.weight[0, 0]": [0.1, 0.4, 0.9], "weight layers.0.weight[0, 1]": [0.0, 0.6, 1.0]}
    curve = Curve(np.arange(3), *(np.ones(3),) * 3, measures={k: np.array(v) for k, v in rows.items()})
    assert reader.on_the_way(curve, [0, 1, 2]) == [(0, "0"), (1, "b"), (2, "a + b")]


def test_a_part_of_the_weights_gives_none(reader: Reader) -> None:
    only = {"weight layers.0.weight[0, 0]": np.ones(3)}
    assert reader.on_the_way(Curve(np.arange(3), *(np.ones(3),) * 3, measures=only), [0]) == []


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_a_run_that_diverged_has_no_formula(number: float) -> None:
    reader = Reader(Architecture((Layer("ReLU", 2, 1),)), 2)
    assert reader.network is not None
    weights = {name: parameter.detach().clone() for name, parameter in reader.network.named_parameters()}
    finite, diverged = ({name: w.tolist() for name, w in weights.items()} for _ in range(2))
    diverged |= {name: w.fill_(number).tolist() for name, w in weights.items()}
    formulas = reader.formulas([json.dumps(diverged), json.dumps(finite)])
    assert formulas[0] == ""
    assert formulas[1] != ""


def test_a_fault_in_a_unit_is_not_taken_for_a_missing_formula(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(*_: object) -> None:
        raise TypeError("a fault")

    monkeypatch.setattr(type(reader.network), "expression", faulty)
    with pytest.raises(TypeError, match="a fault"):
        reader.formulas([kept(1.0, 1.0)])


def test_weights_that_divide_by_zero_give_no_formula() -> None:
    layers = Layer("NAU", 1, 2), Layer("RealNPU", 2, 2), Layer("NAU", 2, 1), Layer("RealNPU", 1, 1)
    reader = Reader(Architecture(layers), 1)
    reciprocals_of_nothing = {
        "layers.0.weight": [[0.0], [0.0]],
        "layers.1.weight": [[-1.0, -1.0], [-1.0, -1.0]],
        "layers.1.gate": [1.0, 1.0],
        "layers.2.weight": [[1.0, -1.0]],
        "layers.3.weight": [[1.0]],
        "layers.3.gate": [1.0],
    }
    assert reader.formulas([json.dumps(reciprocals_of_nothing)]) == [""]
