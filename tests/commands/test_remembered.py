"""What is remembered, and when it is forgotten."""

import os
from pathlib import Path

import pytest

from nalm.commands import remembered as module
from nalm.commands.remembered import KEPT, recall, remembered, state_of


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "nalm"


def never() -> None:
    raise AssertionError("computed again")


def test_computed_once_per_state() -> None:
    assert recall("x", "1") is None
    assert remembered("x", "1", lambda: {"a": (1, "−")}) == {"a": [1, "−"]}
    assert remembered("x", "1", never) == {"a": [1, "−"]}
    assert remembered("x", "2", lambda: 3) == 3


def test_a_state_follows_the_files(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("1")
    before = state_of([file])
    assert state_of([file]) == before != state_of([file], "further")
    file.write_text("22")
    assert state_of([file]) != before
    assert state_of([tmp_path / "gone.py"]) == state_of([])


def test_a_damaged_file_is_computed_again(own_cache: Path) -> None:
    remembered("x", "1", lambda: [1, 2])
    (own_cache / "x-1.json").write_text('{"half')
    assert remembered("x", "1", lambda: [3]) == [3]
    assert remembered("x", "1", never) == [3]


def test_the_oldest_are_forgotten(own_cache: Path) -> None:
    for number in range(KEPT + 2):
        remembered("x", str(number), lambda: 0)
        os.utime(own_cache / f"x-{number}.json", (number, number))
    remembered("y", "0", lambda: 0)
    assert recall("x", "0") is None
    assert recall("x", str(KEPT + 1)) == 0
    assert len(list(own_cache.glob("x-*.json"))) == KEPT


def test_a_cache_that_cannot_be_written_costs_time_only(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_cache.parent.mkdir()
    own_cache.write_text("a file in its place")
    assert remembered("x", "1", lambda: 5) == 5
    assert recall("x", "1") is None


def test_the_package_knows_its_code_and_its_data() -> None:
    names = {path.suffix for path in module.package_files()}
    assert {".py", ".csv", ".parquet"} <= names
    assert ".pyc" not in names
