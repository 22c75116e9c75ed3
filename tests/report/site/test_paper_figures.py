"""Every kind of figure that studies declare is drawn, interactively and as files."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from made_up_site import FULL, small_study, whole_curve

from nalm.report.named_figures import OF_RESULTS
from nalm.report.results import Results
from nalm.report.site.paper_figures import KINDS, figures
from nalm.report.site.static_charts import save
from nalm.store import Store
from nalm.studies.catalogue import STUDIES
from nalm.studies.stored_run import Record
from nalm.studies.study import Selection, Study

MEASURES = {
    "gate": lambda rows: np.linspace(0.5, 0.9, rows),
    "weight head.weight[0, 0]": lambda rows: np.linspace(0, 1, rows),
    "weight head.weight[0, 1]": lambda rows: np.linspace(1, 0, rows),
    "test 3 read as 3": lambda rows: np.full(rows, 3.0),
    "test 3 read as 8": lambda rows: np.full(rows, 1.0),
}


def with_runs(name: str, store: Store) -> tuple[Study, Results]:
    """The first study that declares the figure, with two units' runs and whatever they may have measured."""
    study = next(study for study in STUDIES.values() if name in study.figures)
    units = list(dict.fromkeys(cell.unit for cell in study.cells))[:2]
    cells = [c for c in study.cells if c.unit in {*units, study.baseline}][:12]
    labels = {cell.label for cell in cells}
    if study.baseline:
        cells = [c for c in study.cells if c.unit in {units[0], study.baseline} and c.label in labels]
    study = dataclasses.replace(study, cells=tuple(cells), seeds=2, figures=(name,))
    records = []
    for cell in cells:
        for seed in range(2):
            run = cell.run(FULL, seed)
            curve = whole_curve(run, 1e-3, solved=True)
            columns = {column: values(len(curve.iterations)) for column, values in MEASURES.items()}
            columns |= {look.column: curve.test for look in cells}  # of one run
            curve = dataclasses.replace(curve, measures=columns)
            records.append(Record.of(study, cell, FULL, run, curve, seconds=0.1))
    store.add(list({record.identity: record for record in records}.values()))
    sizes = tuple(dict.fromkeys(cell.inputs for cell in cells))
    return study, Results.read(study, FULL, store, Selection(inputs=sizes))


def test_every_kind_is_drawn_on_pages_too() -> None:
    assert KINDS.keys() == OF_RESULTS.keys()


@pytest.mark.parametrize("name", sorted(KINDS))
def test_a_kind_has_rows_and_files(name: str, store: Store, tmp_path: Path) -> None:
    _, results = with_runs(name, store)
    found = figures(results, store)
    assert found
    for figure in found:
        png, pdf = save(tmp_path / "figure", figure.spec, figure.rows, [figure.title])
        assert png.read_bytes().startswith(b"\x89PNG")
        assert pdf.read_bytes().startswith(b"%PDF")
        # Empty axes compress to next to nothing.
        assert png.stat().st_size > 4000


def test_a_chart_is_drawn_anew_only_if_it_changed(tmp_path: Path) -> None:
    spec = {"data": {"name": "rows"}, "mark": "point", "encoding": {"x": {"field": "x"}}}

    def is_drawn(x: int) -> bool:
        files = save(tmp_path / "figure", spec, [{"x": x}], ["title"])
        anew = all(path.read_bytes() != b"as it was" for path in files)
        for path in files:
            path.write_bytes(b"as it was")
        return anew

    assert [is_drawn(1), is_drawn(1), is_drawn(2)] == [True, False, True]


def test_without_runs_nothing_is_drawn(store: Store) -> None:
    study = dataclasses.replace(small_study(), figures=tuple(KINDS))
    assert figures(Results.read(study, FULL, store), store) == []
