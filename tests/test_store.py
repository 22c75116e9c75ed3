"""Finished runs survive whatever happens to those who write them."""

import dataclasses
import errno
import hashlib
import io
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from nalm.store import Store, StoreError
from nalm.studies.single_module import SINGLE_MODULE
from nalm.studies.stored_run import Record
from nalm.studies.study import BUDGETS, Selection
from nalm.training.identity import PROTOCOL, digest
from nalm.training.temporary import STALE, temporary_file

NMU = Selection(units=("NMU",), ranges=("[1, 2)",))
FULL = BUDGETS["full"]

Records = Callable[..., list[Record]]


@pytest.fixture
def records(made_up: Records) -> list[Record]:
    return made_up(SINGLE_MODULE, FULL, NMU, solves=lambda cell, run: run.seed != 3)


def test_what_goes_in_comes_out(store: Store, records: list[Record]) -> None:
    store.add(records)
    frame = store.frame(curves=True)
    assert len(frame) == 25
    row = frame.set_index("seed").loc[7]
    assert (row["unit"], row["operation"], row["range"], row["inputs"]) == ("NMU", "mul", "[1, 2)", 2)
    assert (row["study"], row["budget"], row["protocol"]) == ("single-module", "full", PROTOCOL)
    assert row["steps"].tolist() == [0, 1000, 2000]
    np.testing.assert_allclose(row["validation"], [1.0, 1e-3, 1e-4], rtol=1e-7)
    assert json.loads(row["weights"]) == {"layers.0.weight": [[1.0, 0.5]]}
    assert json.loads(row["configuration"])["seed"] == 7
    failed = frame.set_index("seed").loc[3]
    assert failed["test"][-1] > row["test"][-1]
    assert np.isnan(failed["diverged_at"])


def test_curves_are_left_out_unless_asked_for(store: Store, records: list[Record]) -> None:
    store.add(records)
    assert not {"validation", "configuration"} & set(store.frame())
    wanted = {records[0].identity, records[5].identity}
    assert set(store.frame(identities=wanted)["identity"]) == wanted


def written(store: Store, table: pa.Table) -> Path:
    """A file as another version of the package would have left it."""
    file = io.BytesIO()
    pq.write_table(table, file)
    store.directory.mkdir(parents=True, exist_ok=True)
    path = store.directory / f"{hashlib.sha256(file.getvalue()).hexdigest()[:32]}.parquet"
    path.write_bytes(file.getvalue())
    return path


def test_files_of_other_versions_are_read(store: Store, records: list[Record]) -> None:
    path = store.add(records[:2])
    ours = pq.read_table(path)
    older = ours.drop_columns(["measures", "version"]).append_column("success", pa.array([True, False]))
    path.unlink()
    written(store, older)
    store.add(records[2:])
    frame = store.frame(curves=True).set_index("seed").sort_index()
    assert len(frame) == 25
    assert frame[["version", "measures"]].isna().all(axis=1).tolist() == [True] * 2 + [False] * 23
    assert frame["success"].tolist()[:2] == [True, False]
    assert frame["success"].isna().sum() == 23
    assert "success" in store.frame()
    assert not list(store.directory.glob("*.corrupt"))


def test_runs_of_a_protocol_that_differs_in_rounding_alone_still_count(
    store: Store, records: list[Record]
) -> None:
    def earlier(record: Record, protocol: int) -> Record:
        configuration = {**json.loads(record.configuration), "protocol": protocol}
        text = json.dumps(configuration, sort_keys=True)
        changes = {"identity": digest(configuration), "configuration": text, "protocol": 1}
        return dataclasses.replace(record, **changes)

    store.add([earlier(record, 1) for record in records[:10]])
    store.add([earlier(record, 2) for record in records[10:20]])
    assert store.identities() & {record.identity for record in records} == {r.identity for r in records[:10]}
    assert set(store.frame()["protocol"]) == {1}


def test_an_empty_store(store: Store) -> None:
    assert store.identities() == set()
    assert list(store.frame(curves=True).columns)[:2] == ["identity", "study"]
    assert not store.directory.exists()


def test_a_run_finished_twice_counts_once(store: Store, records: list[Record]) -> None:
    store.add(records[:10])
    store.add(records[5:])
    assert len(store.files()) == 2
    assert len(store.frame()) == 25
    assert store.identities() == {record.identity for record in records}


def test_the_same_records_make_the_same_file(store: Store, records: list[Record]) -> None:
    assert store.add(records) == store.add(records)
    assert len(store.files()) == 1


def test_merge_copies_what_is_missing(store: Store, records: list[Record], tmp_path: Path) -> None:
    other = Store(tmp_path / "other")
    store.add(records[:5])
    other.add(records[:5])
    other.add(records[5:])
    assert store.merge(other) == 1
    assert len(store.frame()) == 25
    assert store.merge(other) == 0


WRITER = """
import dataclasses, pickle, sys
from nalm.store import Store
records = pickle.load(open(sys.argv[1], "rb"))
store = Store(sys.argv[2])
for turn in range(10_000):
    batch = [dataclasses.replace(r, identity=f"{sys.argv[3]}-{turn}-{i}") for i, r in enumerate(records)]
    store.add(batch)
    print(batch[0].identity, flush=True)
"""


def start_writer(records: list[Record], store: Store, folder: Path, name: str) -> subprocess.Popen[str]:
    import pickle

    given = folder / "records.pickle"
    given.write_bytes(pickle.dumps(records))
    command = [sys.executable, "-c", textwrap.dedent(WRITER), str(given), str(store.directory), name]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_killed_writers_leave_whole_files(
    store: Store, records: list[Record], tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    """Two processes write at once and are killed without warning: what they acknowledged is there, whole."""
    writers = [start_writer(records, store, tmp_path, name) for name in ("one", "two")]
    acknowledged = []
    for writer in writers:
        assert writer.stdout is not None
        acknowledged += [writer.stdout.readline().strip() for _ in range(3)]
    for writer in writers:
        os.kill(writer.pid, signal.SIGKILL)
        assert writer.wait() == -signal.SIGKILL
    identities = store.identities()
    assert set(acknowledged) <= identities
    assert len(identities) % len(records) == 0
    assert not recwarn.list
    assert not list(store.directory.glob("*.corrupt"))


@pytest.mark.parametrize("damage", ["cut", "changed", "foreign"])
def test_corrupt_files_are_named_and_set_aside(store: Store, records: list[Record], damage: str) -> None:
    store.add(records[:20])
    broken = store.add(records[20:])
    content = bytearray(broken.read_bytes())
    if damage == "cut":
        content = content[: len(content) // 2]
    elif damage == "changed":
        content[len(content) // 2] ^= 1  # the magic numbers and the footer stay as they were
    elif damage == "foreign":
        content = bytearray(b"not parquet at all")
    broken.write_bytes(content)
    with pytest.warns(RuntimeWarning, match=broken.name) as warned:
        assert store.identities() == {record.identity for record in records[:20]}
    assert len(warned) == 1
    assert not broken.exists()
    assert broken.with_name(broken.name + ".corrupt").exists()
    assert len(store.frame()) == 20


def test_what_does_not_belong_there_is_named_and_left(store: Store, records: list[Record]) -> None:
    """A folder, a loop of links, a pipe nobody writes to, tables of other programs, a copy of ours."""
    ours = store.add(records)
    copy = store.directory / "copy of results.parquet"
    copy.write_bytes(ours.read_bytes())
    (store.directory / "notes.parquet").write_text("not parquet at all")
    (store.directory / "folder.parquet").mkdir()
    (store.directory / "loop.parquet").symlink_to(store.directory / "loop.parquet")
    os.mkfifo(store.directory / "pipe.parquet")
    other = written(store, pa.table({"text": ["a table of something else"]}))
    before = sorted(store.directory.iterdir())
    with pytest.warns(RuntimeWarning, match="is left out") as warned:
        assert store.identities() == {record.identity for record in records}
    said = [str(warning.message) for warning in warned]
    assert len(said) == 6
    for name, why in {
        copy.name: f"it was renamed: call it {ours.name} if it belongs here",
        "notes.parquet": "its name is not the hash of its content",
        "folder.parquet": "it is no ordinary file",
        "loop.parquet": "Too many levels of symbolic links",
        "pipe.parquet": "it is no ordinary file",
        other.name: "it has no column identity",
    }.items():
        assert f"{store.directory / name} is left out: {why}" in said
    assert sorted(store.directory.iterdir()) == before  # nothing is renamed or removed


def test_a_column_whose_type_has_changed_is_one_line(store: Store, records: list[Record]) -> None:
    path = store.add(records[:2])
    ours = pq.read_table(path)
    place = ours.schema.get_field_index("seed")
    text = ours.set_column(place, "seed", pa.array(["zero", "one"]))
    path.unlink()
    changed = written(store, text)
    store.add(records[2:])
    for read in (store.identities, store.frame):
        with pytest.warns(RuntimeWarning) as warned:
            assert len(read()) == 23
        (warning,) = warned
        assert f"{changed} is left out: its column seed holds string, not int64" in str(warning.message)
    assert changed.exists()


def test_a_wider_type_is_read(store: Store, records: list[Record]) -> None:
    path = store.add(records)
    ours = pq.read_table(path)
    place = ours.schema.get_field_index("validation")
    wider = ours["validation"].cast(pa.list_(pa.float64()))
    path.unlink()
    written(store, ours.set_column(place, "validation", wider))
    assert len(store.frame(curves=True)) == 25


def test_columns_of_other_versions_that_differ_among_themselves(store: Store, records: list[Record]) -> None:
    for part, value in ((records[:2], [1, 2]), (records[2:4], ["a", None])):
        path = store.add(part)
        table = pq.read_table(path).append_column("grade", pa.array(value))
        path.unlink()
        written(store, table)
    with pytest.warns(RuntimeWarning, match="read as text, because files differ in their types: grade"):
        frame = store.frame()
    grades = frame.sort_values("seed")["grade"]
    assert grades.tolist()[:3] == ["1", "2", "a"]
    assert grades.isna().tolist() == [False, False, False, True]


def test_runs_of_a_version_that_tells_less_or_tells_it_otherwise(store: Store, records: list[Record]) -> None:
    path = store.add(records)
    ours = pq.read_table(path)
    path.unlink()
    written(store, ours.slice(0, 10).drop_columns(["protocol", "configuration"]))
    later = pa.array(["{}", "no JSON", "[1]", None, '{"protocol": 99}'] * 3, pa.string())
    rest = ours.slice(10).set_column(ours.schema.get_field_index("configuration"), "configuration", later)
    place = ours.schema.get_field_index("protocol")
    written(store, rest.set_column(place, "protocol", pa.array([99] * 15, pa.int32())))
    assert store.identities() == {record.identity for record in records}
    assert len(store.frame(curves=True)) == 25


def test_files_that_were_seen_are_not_read_again(store: Store, records: list[Record]) -> None:
    store.add(records[:10])
    seen: set[str] = set()
    assert len(store.identities(seen)) == 10
    new = store.add(records[10:])
    assert store.identities(seen) == {record.identity for record in records[10:]}
    assert store.identities(seen) == set()
    assert new.name in seen


def test_runs_of_a_corrupt_file_can_be_added_again(store: Store, records: list[Record]) -> None:
    path = store.add(records)
    path.write_bytes(b"")
    with pytest.warns(RuntimeWarning, match="count as not done"):
        assert store.identities() == set()
    store.add(records)
    assert len(store.identities()) == 25


def test_a_directory_that_cannot_be_written_fails_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot write to the store"):
        Store(tmp_path / "file" / "store").check_writable()


def test_a_full_disk_loses_nothing(
    store: Store, records: list[Record], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.add(records[:20])
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "elsewhere"))
    (tmp_path / "elsewhere").mkdir()
    write = pq.write_table

    def full(table, file, **options):  # type: ignore[no-untyped-def]
        if str(store.directory) in file.name:
            file.write(b"half")
            raise OSError(errno.ENOSPC, "No space left on device")
        write(table, file, **options)

    monkeypatch.setattr(pq, "write_table", full)
    with pytest.raises(StoreError, match=r"No space left.*5 finished runs are in") as raised:
        store.add(records[20:])
    assert not list(store.directory.glob(".*"))
    assert len(store.identities()) == 20
    (saved,) = (tmp_path / "elsewhere").rglob("*.parquet")
    assert str(saved) in str(raised.value)
    assert saved.parent.stat().st_mode & 0o077 == 0  # nobody else reads or writes there
    saved.rename(store.directory / saved.name)
    assert len(store.identities()) == 25


def test_when_nothing_can_be_written_anywhere(
    records: list[Record], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    with pytest.raises(StoreError, match="25 finished runs could not be saved"):
        Store(tmp_path / "file" / "store").add(records)


def test_files_of_dead_writers_are_cleared_and_those_of_living_ones_kept(store: Store) -> None:
    store.check_writable()
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    ours = temporary_file(store.directory)
    dead = ours.with_name(ours.name.replace(f"-{os.getpid()}-", f"-{process.pid}-"))
    living, elsewhere = store.directory / ".ab-1-living.tmp", store.directory / ".ab-1-dead.tmp"
    for path in (ours, dead, living, elsewhere):
        path.write_text("half a file")
    old = time.time() - STALE - 60
    os.utime(elsewhere, (old, old))
    store.check_writable()
    assert {path for path in (ours, dead, living, elsewhere) if path.exists()} == {ours, living}


def test_no_records() -> None:
    with pytest.raises(ValueError, match="no records"):
        Store("nowhere").add([])
