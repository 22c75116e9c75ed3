"""Finished runs without training, for whatever reads them."""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from nalm.store import Store
from nalm.studies.stored_run import Record
from nalm.studies.study import EVERYTHING, Budget, Cell, Selection, Study
from nalm.training import Curve, Run

MNIST = Path(os.environ.get("NALM_MNIST") or Path(__file__).parents[2] / "shared" / "data" / "mnist")
Solves = Callable[[Cell, Run], bool]


def made_up_curve(run: Run, threshold: float, solves: bool) -> Curve:
    """Three rows: far off, then solved (or just not), then a little better still."""
    every = run.recipe.evaluate_every
    end = threshold / 10 if solves else threshold * 10
    return Curve(
        iterations=np.array([0, every, 2 * every]),
        validation=np.array([1.0, 1e-3, 1e-4]),
        test=np.array([5.0, end, end / 2]),
        sparsity=np.array([0.4, 1e-3, 1e-6]),
        weights={"layers.0.weight": np.array([[1.0, 0.5]])},
    )


@pytest.fixture(autouse=True)
def tables_of_usual_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test's table is narrow because of the terminal, or because of a library that has set its width."""
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture
def made_up() -> Callable[..., list[Record]]:
    """Records of a study's runs that a function says are solved or not."""

    def make(
        study: Study,
        budget: Budget,
        selection: Selection = EVERYTHING,
        seeds: range | None = None,
        solves: Solves = lambda cell, run: True,
    ) -> list[Record]:
        return [
            Record.of(
                study,
                cell,
                budget,
                run,
                made_up_curve(run, study.threshold(cell.task), solves(cell, run)),
                seconds=0.5,
            )
            for cell, run in study.runs(budget, selection, seeds)
        ]

    return make


@pytest.fixture
def store(tmp_path) -> Store:
    """An empty store."""
    return Store(tmp_path / "store")


@pytest.fixture
def whole_mnist() -> Path:
    """A folder with all of MNIST: the one of `$NALM_MNIST`, or one beside the checkout."""
    if not (MNIST / "train-images-idx3-ubyte.gz").is_file():
        pytest.skip("needs MNIST: set NALM_MNIST to its folder")
    return MNIST


@pytest.fixture
def sample_mnist(monkeypatch: pytest.MonkeyPatch) -> Path:
    """A few hundred real digits, in the place of MNIST."""
    folder = Path(__file__).parent / "data" / "mnist-sample"
    monkeypatch.setenv("NALM_MNIST", str(folder))
    return folder
