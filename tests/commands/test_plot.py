"""`nalm plot` on made-up results."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nalm.cli import app
from nalm.store import Store
from nalm.studies.single_module import SINGLE_MODULE
from nalm.studies.stored_run import Record
from nalm.studies.study import BUDGETS, Selection, find_budget

pytest.importorskip("matplotlib")


def plot(store: Store, folder: Path, budget: str = "laptop") -> tuple[int, str, str]:
    where = ["--store", str(store.directory), "--output", str(folder)]
    result = CliRunner().invoke(app, ["plot", "single-module", *where, "--budget", budget])
    return result.exit_code, result.stdout, result.stderr


def test_one_figure_per_operation(store: Store, made_up: Callable[..., list[Record]], tmp_path: Path) -> None:
    some = Selection(units=("NMU", "NAU"), operations=("mul", "add"), ranges=("[1, 2)", "[-2, 2)"))
    store.add(made_up(SINGLE_MODULE, BUDGETS["laptop"], some))
    code, out, _ = plot(store, tmp_path)
    assert code == 0
    names = ["add-2-inputs-laptop.pdf", "add-2-inputs-laptop.png", "mul-2-inputs-laptop.pdf"]
    assert sorted(path.name for path in tmp_path.glob("*.p*"))[:3] == [f"single-module-{n}" for n in names]
    assert str(tmp_path / "single-module-mul-2-inputs-laptop.png") in out


def test_a_fraction_as_budget(store: Store, made_up: Callable[..., list[Record]], tmp_path: Path) -> None:
    one = Selection(units=("NMU",), operations=("mul",), ranges=("[1, 2)",))
    store.add(made_up(SINGLE_MODULE, find_budget("1/10"), one))
    assert plot(store, tmp_path / "figures", "1/10")[0] == 0
    names = sorted(path.name for path in (tmp_path / "figures").iterdir())
    assert names == [f"single-module-mul-2-inputs-1-of-10.{kind}" for kind in ("pdf", "png")]


def test_nothing_to_draw(store: Store, tmp_path: Path) -> None:
    code, _, err = plot(store, tmp_path)
    assert code == 2
    assert "nalm run single-module --budget laptop" in err
