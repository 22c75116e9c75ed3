"""The studies of noise as data."""

from nalm.studies.published import published
from nalm.studies.published_rate import published_rate
from nalm.studies.stochastic_studies import (
    GATES,
    GRADIENT_NOISE,
    NOISE_RANGES,
    REVERSIBLE,
    TWO_LAYER_STOCHASTIC,
)
from nalm.studies.study import Cell, Study
from nalm.training.schedules import Constant


def only(study: Study, unit: str) -> Cell:
    (cell,) = (c for c in study.cells if (c.unit, c.label) == (unit, "[1, 2)"))
    return cell


def test_units_held_and_unheld() -> None:
    held, unheld = only(REVERSIBLE, "sNMU"), only(REVERSIBLE, "sNMU (unheld)")
    assert held.recipe.penalties
    assert not unheld.recipe.penalties
    assert unheld.architecture.build().layers[0].declared["weight"].box is None


def test_gates_have_their_own_penalty() -> None:
    assert only(GATES, "stgNMU, λ = 0.1").recipe.penalties == (("l0", Constant(0.1)),)
    coded = only(GATES, "stgNMU (as coded)").architecture.build().layers[0]
    assert (coded.identity, coded.spread) == (False, 0.01)


def test_gradient_noise() -> None:
    scales = {cell.recipe.gradient_noise for cell in GRADIENT_NOISE.cells}
    assert scales == {0.0, 0.01, 0.1, 1.0, 10.0}


def test_two_layers_with_noise_ranges() -> None:
    labels = {f"sNMU U[{low:g}, {high:g}]" for low, high in NOISE_RANGES}
    assert labels < {cell.unit for cell in TWO_LAYER_STOCHASTIC.cells}
    iterations = {cell.unit: cell.recipe.iterations for cell in TWO_LAYER_STOCHASTIC.cells}
    assert (iterations["NMU"], iterations["sNMU U[1, 5]"]) == (5_000_000, 2_000_000)  # D35
    assert str(only(TWO_LAYER_STOCHASTIC, "stgNMU").architecture) == "NAU(100, 2) → STGNMU(2, 1)"


def test_every_published_rate_has_its_cell() -> None:
    rates = [published_rate(TWO_LAYER_STOCHASTIC, cell) for cell in TWO_LAYER_STOCHASTIC.cells]
    found = [rate for rate in rates if rate is not None]
    assert len(found) == len(published("two-layer-stochastic", metric="success"))
    assert {rate.seeds for rate in found} == {20}
