"""Pages of studies."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

from nalm.report.site import charts
from nalm.report.site.gather import Gathered
from nalm.report.site.static_charts import without_empty_panels
from nalm.report.site.study_pages import further_tables


def test_tables_that_take_long_are_remembered(small_site: tuple[Path, Gathered], tmp_path: Path) -> None:
    _, gathered = small_site
    part = gathered.parts[0]
    part = dataclasses.replace(
        part,
        results=dataclasses.replace(
            part.results, study=dataclasses.replace(part.study, tables=("by-operation",))
        ),
    )
    asked: dict[str, str] = {}

    def remember(name: str, depends_on: str, compute: Callable[[], str]) -> str:
        asked[name] = depends_on
        return compute()

    assert further_tables(part, gathered, remember) == further_tables(part, gathered)
    identities = {run.identity for kept in part.runs.values() for run in kept}
    assert {name: set(runs.split()) for name, runs in asked.items()} == {
        "table-single-module-full-by-operation": identities
    }


def test_panels_without_numbers_are_left_out() -> None:
    rows = [
        {"unit": "MLP", "column": "add", "success": 0.5, "solvedAtMean": 7.0, "sparsityDrawn": float("nan")}
    ]
    spec = charts.three_panels()
    panels = without_empty_panels(spec, rows)["vconcat"]
    drawn = [panel["layer"][-1]["encoding"] for panel in panels]
    assert [encoding["y"]["field"] for encoding in drawn] == ["success", "solvedAtMean"]
    assert [encoding["x"]["axis"] is None for encoding in drawn] == [True, False]
    assert len(spec["vconcat"]) == 3


def test_commands_name_their_budget(small_site: tuple[Path, Gathered]) -> None:
    path, _ = small_site
    page = (path / "studies" / "single-module.html").read_text(encoding="utf-8")
    assert "nalm run single-module\nnalm show single-module\nnalm plot single-module\n" in page
    assert "all published iterations and seeds" in page
