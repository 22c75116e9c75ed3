"""Verdicts that ship with the runs they are of."""

import gzip
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nalm.cli import app
from nalm.commands import claims as module
from nalm.commands.shipped_verdicts import FILE, deciding_state, shipped_verdicts, write_verdicts
from nalm.record import shipped

runner = CliRunner()


def test_they_are_up_to_date() -> None:
    """`nalm record pages` writes them anew after runs, claims, rules or published numbers have changed."""
    assert shipped_verdicts() is not None


def test_they_are_of_the_shipped_runs() -> None:
    found = shipped_verdicts()
    assert found is not None
    number = len({identity for part in shipped() for identity in part.identities()})
    assert found["from"] == f"{number:,} runs shipped"


def test_a_fresh_install_answers_without_judging(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("judged again")

    monkeypatch.setattr(module, "everything", never)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    result = runner.invoke(app, ["claims", "--source", "001-t1"])
    assert result.exit_code == 0, result.output
    assert "6 reproduced" in result.output


@pytest.mark.parametrize(
    "damage",
    [b"", b"text", gzip.compress(b'{"state": "other", "claims": []}', mtime=0)],
    ids=["empty", "text", "other state"],
)
def test_damaged_or_other_ones_are_not_read(tmp_path: Path, damage: bytes) -> None:
    file = tmp_path / FILE.name
    file.write_bytes(damage)
    assert shipped_verdicts(file) is None
    assert shipped_verdicts(tmp_path / "none") is None


def test_written_and_read(tmp_path: Path) -> None:
    file = write_verdicts({"claims": [{"id": "−"}]}, tmp_path / FILE.name)
    assert shipped_verdicts(file) == {"claims": [{"id": "−"}]}
    before = file.read_bytes()
    write_verdicts({"claims": [{"id": "−"}]}, file)
    assert file.read_bytes() == before


def test_the_state_follows_what_decides(tmp_path: Path) -> None:
    for name in ("measuring/a.py", "studies/rules/b.py", "record/data/c/d.parquet", "units/e.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1")
    before = deciding_state(tmp_path)
    (tmp_path / "units" / "e.py").write_text("2")
    assert deciding_state(tmp_path) == before
    (tmp_path / "studies" / "rules" / "b.py").write_text("2")
    assert deciding_state(tmp_path) != before
