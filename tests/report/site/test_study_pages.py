"""Pages of studies."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

from nalm.report.site.gather import Gathered
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
