"""The three-panel figure."""

from collections.abc import Callable
from pathlib import Path

import pytest

from nalm.report.figures import COLOURS, style, three_panels
from nalm.report.results import Results, cell_table
from nalm.store import Store
from nalm.studies.single_module import SINGLE_MODULE
from nalm.studies.stored_run import Record
from nalm.studies.study import BUDGETS, Selection

pytest.importorskip("matplotlib")

ORDER = list(dict.fromkeys(cell.unit for cell in SINGLE_MODULE.cells))
LAPTOP = BUDGETS["laptop"]
MUL = Selection(units=("NMU", "NAC•", "MulMCFC"), operations=("mul",))


@pytest.fixture
def results(store: Store, made_up: Callable[..., list[Record]]) -> Results:
    store.add(
        made_up(SINGLE_MODULE, LAPTOP, MUL, solves=lambda cell, run: cell.unit == "NMU" or run.seed % 2 == 0)
    )
    return Results.read(SINGLE_MODULE, LAPTOP, store, MUL)


def test_png_and_pdf(results: Results, tmp_path: Path) -> None:
    paths = three_panels(cell_table(results), ORDER, tmp_path / "deep" / "down", "mul", results.stamp)
    assert [path.name for path in paths] == ["mul.png", "mul.pdf"]
    assert paths[0].read_bytes().startswith(b"\x89PNG")
    assert paths[1].read_bytes().startswith(b"%PDF")


def test_what_is_drawn(results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from matplotlib.figure import Figure

    drawn: list[Figure] = []
    monkeypatch.setattr(Figure, "savefig", lambda self, *args, **kwargs: drawn.append(self))
    three_panels(cell_table(results), ORDER, tmp_path, "mul", results.stamp)
    figure = drawn[0]
    success, solved_at, sparsity = figure.axes
    assert success.get_ylabel() == "success rate"
    labels = [tick.get_text() for tick in sparsity.get_xticklabels()]
    assert len(labels) == 9
    assert labels[0] == "U[-20, -10)"
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend[:2] == ["NAC•", "NMU"]
    assert "laptop budget" in figure.get_suptitle()
    nmu = success.containers[legend.index("NMU")]
    assert nmu.lines[0].get_ydata().tolist() == [1.0] * 9
    assert solved_at.containers[legend.index("NMU")].lines[0].get_ydata().tolist() == [100.0] * 9


def test_many_units_take_several_figures(
    store: Store, made_up: Callable[..., list[Record]], tmp_path: Path
) -> None:
    many = Selection(operations=("mul",), ranges=("[1, 2)",))
    store.add(made_up(SINGLE_MODULE, LAPTOP, many))
    table = cell_table(Results.read(SINGLE_MODULE, LAPTOP, store, many))
    paths = three_panels(table, ORDER, tmp_path, "mul")
    assert table["unit"].nunique() > 12
    assert [path.name for path in paths] == ["mul-1.png", "mul-1.pdf", "mul-2.png", "mul-2.pdf"]


def test_the_same_results_give_the_same_file(results: Results, tmp_path: Path) -> None:
    table = cell_table(results)
    first, second = (three_panels(table, ORDER, tmp_path / name, "mul") for name in ("one", "two"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_units_look_different() -> None:
    looks = [tuple(style(index).items()) for index in range(len(ORDER))]
    assert len(set(looks)) == len(ORDER)
    assert len({style(index)["color"] for index in range(8)}) == len(COLOURS)
