"""Errors of made-up runs."""

from pathlib import Path

from nalm.report.error_panels import error_panels, error_table
from nalm.report.results import Results
from nalm.studies.scaling import SCALING
from nalm.studies.study import BUDGETS, Selection

SMOKE = BUDGETS["smoke"]
CHOICE = Selection(units=("NMU, penalty on", "z-score, penalty on"), ranges=("[1, 2)",))


def test_failures_have_errors_too(store, made_up, tmp_path: Path) -> None:
    records = made_up(SCALING, SMOKE, CHOICE, range(2), solves=lambda cell, run: cell.unit.startswith("NMU"))
    store.add(records)
    results = Results.read(SCALING, SMOKE, store, CHOICE, range(2))
    table = error_table(results).set_index("unit")
    assert len(table) == 4
    assert (table.loc["NMU, penalty on", "extrapolation"] < table["threshold"].iloc[0]).all()
    assert (table.loc["z-score, penalty on", "extrapolation"] > table["threshold"].iloc[0]).all()
    assert all(path.exists() for path in error_panels(results, store, tmp_path, "errors"))
