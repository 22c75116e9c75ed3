"""Finished runs: one directory of parquet files, each written once and never changed.

A file is written under a temporary name and renamed when it is complete, so that a killed process leaves no
half of one. Names are hashes of the content: damage shows, directories are merged by copying, and two
processes may write at once. pandas, polars and DuckDB read the files directly.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import re
import shutil
import stat
import tempfile
import warnings
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from nalm.studies.stored_run import Record
from nalm.training.identity import PROTOCOL, brought_forward, digest
from nalm.training.temporary import clear_temporary, temporary_file

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = pa.schema(
    [
        pa.field("identity", pa.string(), nullable=False),
        ("study", pa.string()),
        ("unit", pa.string()),
        ("operation", pa.string()),
        ("range", pa.string()),
        ("inputs", pa.int32()),
        ("seed", pa.int64()),
        ("budget", pa.string()),
        ("diverged_at", pa.int64()),
        ("restarts", pa.list_(pa.int64())),
        ("stopped_at", pa.int64()),
        ("steps", pa.list_(pa.int64())),
        # The engine computes in single precision: nothing is lost.
        ("validation", pa.list_(pa.float32())),
        ("test", pa.list_(pa.float32())),
        ("sparsity", pa.list_(pa.float32())),
        ("measures", pa.map_(pa.string(), pa.list_(pa.float32()))),
        ("weights", pa.string()),
        ("configuration", pa.string()),
        ("seconds", pa.float64()),
        ("protocol", pa.int32()),
        ("version", pa.string()),
    ]
)
CURVES = ("steps", "validation", "test", "sparsity", "measures", "weights", "configuration")
"""Columns that make up most of a file; `Store.frame` leaves them out unless asked."""
OURS = re.compile(r"[0-9a-f]{32}\.parquet")
"""Names that this class gives."""


class StoreError(OSError):
    """The store could not be written; the message says where the runs are."""


class Store:
    """A directory of finished runs.

    Args:
        directory: created when the first run is added.

    Example:
        >>> import tempfile
        >>> store = Store(tempfile.mkdtemp())
        >>> store.identities(), len(store.frame())
        (set(), 0)
    """

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = Path(directory)

    def __repr__(self) -> str:
        return f"Store({str(self.directory)!r})"

    def add(self, records: Sequence[Record], level: int | None = None) -> Path:
        """Write records as one file; they are on the disk when this returns.

        If the directory cannot be written, the file goes to a private directory under the system's temporary
        one and the error names it, so that nothing is lost.

        Args:
            records: finished runs.
            level: how hard Zstandard compresses, to 22; its default is quick.
        """
        if not records:
            raise ValueError("no records to add")
        rows = [dataclasses.asdict(record) for record in records]
        table = pa.Table.from_pylist(rows, SCHEMA)
        try:
            return _write(table, self.directory, level)
        except OSError as error:
            try:
                # A new directory that belongs to this user alone: nobody else can have laid a link there.
                saved = _write(table, Path(tempfile.mkdtemp(prefix="nalm-rescued-runs-")), level)
            except OSError as second:
                raise StoreError(
                    f"cannot write to {self.directory} ({error}), nor to {tempfile.gettempdir()} ({second}): "
                    f"{len(records)} finished runs could not be saved"
                ) from error
            raise StoreError(
                f"cannot write to {self.directory} ({error}); {len(records)} finished runs are in {saved}: "
                f"free space or choose another --store, then move that file into it"
            ) from error

    def check_writable(self) -> None:
        """Fail now, not after an hour of training, if nothing can be written; clear dead writers' files."""
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.directory) as probe:
                probe.write(b"0")
        except OSError as error:
            raise StoreError(f"cannot write to the store {self.directory}: {error}") from error
        clear_temporary(self.directory)

    def identities(self, seen: set[str] | None = None) -> set[str]:
        """The identities of all finished runs.

        Args:
            seen: names of files that are not read again; those that were read are added.
        """
        return {
            identity
            for table in self._tables(only=("identity",), seen=seen)
            for identity in table["identity"].to_pylist()
        }

    def frame(self, *, curves: bool = False, identities: Collection[str] | None = None) -> pd.DataFrame:
        """The finished runs, one row each; a run two processes have finished counts once.

        Columns that a file of another version lacks are null there, and those it has beyond ours are kept.

        Args:
            curves: include the learning curves, final weights and configurations.
            identities: only these runs.
        """
        known = [name for name in SCHEMA.names if curves or name not in CURVES]
        tables = [SCHEMA.empty_table().select(known)]
        for table in self._tables(leave_out=() if curves else CURVES):
            if identities is not None:
                wanted = [identity in identities for identity in table["identity"].to_pylist()]
                table = table.filter(pa.array(wanted, pa.bool_()))
            tables.append(table)
        frame: pd.DataFrame = _together(tables).to_pandas()
        return frame.drop_duplicates("identity", ignore_index=True)

    def merge(self, other: Store) -> int:
        """Copy another store's files that are not here yet, and say how many."""
        self.check_writable()
        missing = [path for path in other.files() if not (self.directory / path.name).exists()]
        for path in missing:
            temporary = temporary_file(self.directory)
            shutil.copyfile(path, temporary)
            temporary.replace(self.directory / path.name)
        return len(missing)

    def files(self) -> list[Path]:
        """The complete files, in a fixed order."""
        return sorted(self.directory.glob("*.parquet"))

    def _tables(
        self, only: Sequence[str] = (), leave_out: Sequence[str] = (), seen: set[str] | None = None
    ) -> Iterator[pa.Table]:
        """The complete files' rows: some columns, or all but some; those of files not seen yet."""
        for path in self.files():
            if seen is not None and path.name in seen:
                continue
            try:
                if not stat.S_ISREG(path.stat().st_mode):  # reading from a pipe would wait for ever
                    _skip(path, "it is no ordinary file")
                    continue
                content = path.read_bytes()
            except FileNotFoundError:
                continue  # another process has just set it aside
            except OSError as error:
                _skip(path, error.strerror or str(error))
                continue
            if not self._sound(path, content):
                continue
            try:
                table = _read(content, only, leave_out)
            except Foreign as error:
                _skip(path, str(error))
            except (pa.ArrowException, OSError) as error:
                self._set_aside(path, str(error).partition("\n")[0])
            else:
                if seen is not None:
                    seen.add(path.name)
                yield table

    def _sound(self, path: Path, content: bytes) -> bool:
        """Whether a file's content is what was written under its name."""
        expected = _name(content)
        if path.name == expected:
            return True
        if OURS.fullmatch(path.name):
            self._set_aside(path, "its name is not the hash of its content")
        else:
            hint = "its name is not the hash of its content"
            with contextlib.suppress(Exception):  # whatever the bytes of somebody else's file lead to
                _read(content, ("identity",), ())
                hint = f"it was renamed: call it {expected} if it belongs here"
            _skip(path, hint)
        return False

    def _set_aside(self, path: Path, reason: str) -> None:
        """Rename a file that cannot be read, so that its runs are trained again."""
        aside = path.with_name(path.name + ".corrupt")
        try:
            path.replace(aside)
        except OSError:
            warnings.warn(f"{path} is corrupt ({reason}) and is ignored", RuntimeWarning, stacklevel=4)
            return
        warnings.warn(
            f"{path} is corrupt ({reason}); it was renamed to {aside.name} and its runs count as not done",
            RuntimeWarning,
            stacklevel=4,
        )


class Foreign(ValueError):
    """A file that is whole, and not one of ours."""


def _skip(path: Path, reason: str) -> None:
    warnings.warn(f"{path} is left out: {reason}", RuntimeWarning, stacklevel=4)


def _read(content: bytes, only: Sequence[str], leave_out: Sequence[str]) -> pa.Table:
    """A file's columns, with our types where they are ours."""
    file = pq.ParquetFile(pa.BufferReader(content), pre_buffer=False)
    schema = file.schema_arrow
    if "identity" not in schema.names:
        raise Foreign("it has no column identity")
    for name in schema.names:
        # Also columns that are not asked for: a run must not be done for one reader and absent for another.
        if name in SCHEMA.names and schema.field(name).type != SCHEMA.field(name).type:
            _as_ours(_columns(file, [name]))
    names = [name for name in only or schema.names if name not in leave_out]
    return _brought_forward(_as_ours(_columns(file, names)), file)


def _columns(file: pq.ParquetFile, names: Sequence[str]) -> pa.Table:
    # In this thread: one of Arrow's own that still holds Python's bytes when the process ends aborts it.
    return file.read(names, use_threads=False)


def _as_ours(table: pa.Table) -> pa.Table:
    for place, field in enumerate(table.schema):
        if field.name not in SCHEMA.names:
            continue
        ours = SCHEMA.field(field.name)
        try:
            table = table.set_column(place, ours, table[field.name].cast(ours.type))
        except pa.ArrowException:
            raise Foreign(f"its column {field.name} holds {field.type}, not {ours.type}") from None
    return table


def _together(tables: Sequence[pa.Table]) -> pa.Table:
    """All rows; a column that is not ours and has different types in different files becomes text."""
    kinds: dict[str, set[pa.DataType]] = {}
    for field in (field for table in tables for field in table.schema if field.name not in SCHEMA.names):
        kinds.setdefault(field.name, set()).add(field.type)
    mixed = {name for name, types in kinds.items() if len(types - {pa.null()}) > 1}
    if mixed:
        names = ", ".join(sorted(mixed))
        warnings.warn(
            f"read as text, because files differ in their types: {names}", RuntimeWarning, stacklevel=3
        )
    return pa.concat_tables([_as_text(table, mixed) for table in tables], promote_options="permissive")


def _as_text(table: pa.Table, names: Collection[str]) -> pa.Table:
    for place, name in enumerate(table.schema.names):
        if name in names:
            text = [None if value is None else str(value) for value in table[name].to_pylist()]
            table = table.set_column(place, name, pa.array(text, pa.string()))
    return table


def _brought_forward(table: pa.Table, file: pq.ParquetFile) -> pa.Table:
    """With the identities that runs of an earlier protocol have today."""
    if not {"protocol", "configuration"} <= set(file.schema_arrow.names):
        return table  # another version's, whose identities are all that is known
    told = _columns(file, ["identity", "protocol"])
    if all(protocol == PROTOCOL for protocol in told["protocol"].to_pylist()):
        return table
    configurations = _columns(file, ["configuration"])["configuration"].to_pylist()
    today = [
        _identity_today(identity, text)
        for identity, text in zip(told["identity"].to_pylist(), configurations, strict=True)
    ]
    place = table.schema.get_field_index("identity")
    return table.set_column(place, SCHEMA.field("identity"), pa.array(today, pa.string()))


def _identity_today(identity: str, configuration: str | None) -> str:
    try:
        return digest(brought_forward(json.loads(configuration or "")))
    except (ValueError, LookupError, TypeError, AttributeError):
        return identity  # a newer version's, which writes its configurations in another way


def _write(table: pa.Table, directory: Path, level: int | None = None) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    temporary = temporary_file(directory)
    try:
        with temporary.open("xb") as file:
            pq.write_table(table, file, compression="zstd", compression_level=level)
            file.flush()
            os.fsync(file.fileno())
        path = directory / _name(temporary.read_bytes())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_directory(directory)
    return path


def _name(content: bytes) -> str:
    return f"{hashlib.sha256(content).hexdigest()[:32]}.parquet"


def _sync_directory(directory: Path) -> None:
    """Make the rename itself survive a power cut, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
