"""A thinned curve has the outcome of the whole one, under every threshold."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from nalm.measuring.outcome import WINDOW, measure
from nalm.record.thin import limits, shortened, thinned
from nalm.report.results import stored_curve
from nalm.studies.single_module import SINGLE_MODULE
from nalm.studies.two_layer import TWO_LAYER

NMU = next(c for c in SINGLE_MODULE.cells if (c.unit, c.operation) == ("NMU", "mul"))


def row(validation: np.ndarray, test: np.ndarray, weights: str = "{}") -> SimpleNamespace:
    steps = 1000 * np.arange(len(test))
    sparsity = np.linspace(0.4, 0.0, len(test))
    return SimpleNamespace(
        identity="x", seed=3, budget="full", diverged_at=np.nan, restarts=[], stopped_at=np.nan, steps=steps,
        validation=validation, test=test, sparsity=sparsity, measures=None, weights=weights,
        configuration="{}", seconds=1.0, protocol=1, version="0",
    )  # fmt: skip


def again(record) -> SimpleNamespace:
    """The record as a store would give it back."""
    columns = {
        name: np.asarray(getattr(record, name)) for name in ("validation", "test", "sparsity", "steps")
    }
    return SimpleNamespace(**{**vars(record), **columns, "diverged_at": np.nan, "stopped_at": np.nan})


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("rows", [3, 51, WINDOW + 400])
def test_every_threshold_judges_it_alike(seed: int, rows: int) -> None:
    rng = np.random.default_rng(seed)
    fall = np.exp(-rng.uniform(0, 30) * np.arange(rows) / rows)
    validation, test = (fall * rng.lognormal(0, 1.5, rows) for _ in range(2))
    if seed % 5 == 0:
        validation[rng.integers(rows, size=rows // 3)] = np.nan
    whole = row(validation, test)
    few = thinned(whole, SINGLE_MODULE, NMU)
    assert len(few.steps) <= 4
    for limit in limits(SINGLE_MODULE, NMU):
        wanted, found = (measure(stored_curve(r), limit) for r in (whole, again(few)))
        assert found == wanted
        assert found.test == pytest.approx(wanted.test, nan_ok=True)


def test_thinning_again_changes_nothing() -> None:
    rng = np.random.default_rng(1)
    once = thinned(row(rng.uniform(size=60), rng.uniform(size=60)), SINGLE_MODULE, NMU)
    twice = thinned(again(once), SINGLE_MODULE, NMU)
    assert (once.steps, once.test) == (twice.steps, twice.test)


def test_small_weights_stay_and_large_ones_go() -> None:
    few, many = (json.dumps({"w": [0.5] * n}, separators=(",", ":")) for n in (4, 600))
    error = np.array([1.0])
    assert thinned(row(error, error, few), SINGLE_MODULE, NMU).weights == few
    assert thinned(row(error, error, many), SINGLE_MODULE, NMU).weights == "{}"
    wide = next(c for c in TWO_LAYER.cells if c.operation == "mul" and c.unit == "NMU")
    hundred = '{"w": [' + ", ".join(["0.5"] * 100) + "]}"
    assert thinned(row(error, error, hundred), TWO_LAYER, wide).weights == "{}"


def test_a_gate_is_kept_in_place_of_weights() -> None:
    error = np.array([1.0, 0.5])
    assert thinned(row(error, error), SINGLE_MODULE, NMU, gate=0.25).measures == [("gate", [0.25])]


def test_weights_keep_every_bit_in_fewer_digits() -> None:
    rng = np.random.default_rng(0)
    weights = np.concatenate([rng.normal(size=50), rng.lognormal(-20, 5, size=50)]).astype(np.float32)
    text = json.dumps({"w": weights.tolist(), "double": 0.1})
    kept = json.loads(shortened(text))
    assert len(shortened(text)) < 0.7 * len(text)
    assert np.array_equal(np.array(kept["w"], np.float32), weights)
    assert kept["double"] == 0.1
