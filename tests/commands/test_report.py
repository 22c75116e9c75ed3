"""`nalm report` writes a site of the store."""

from pathlib import Path

import pytest
from made_up_site import HOSTILE, small_records, small_study
from typer.testing import CliRunner

from nalm.cli import app
from nalm.commands import report as command
from nalm.report.site import site, unit_pages
from nalm.store import Store


def test_writes_a_folder_that_needs_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "STUDIES", {"single-module": small_study()})
    monkeypatch.setattr(site, "CLAIMS", [])
    monkeypatch.setattr(unit_pages, "units", dict)
    Store(tmp_path / "runs").add(small_records())
    result = CliRunner().invoke(
        app, ["report", "--store", str(tmp_path / "runs"), "--output", str(tmp_path / "out")]
    )
    assert result.exit_code == 0, result.output
    pages = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.html")}
    assert {"index.html", "leaderboard.html", "claims.html", "studies/single-module-runs.html"} <= pages
    for path in (tmp_path / "out").rglob("*"):
        if path.suffix in (".html", ".js") and path.name != "vega.js":
            assert HOSTILE not in path.read_text()
            assert path.stat().st_size < 5e6
    assert {path.suffix for path in (tmp_path / "out" / "figures").iterdir()} == {".png", ".pdf", ".drawn"}
