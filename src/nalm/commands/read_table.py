"""Tables as they come: with any separator, compressed, with comments, from a pipe."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

OLD_PANDAS = tuple(map(int, pd.__version__.split(".")[:2])) < (3, 1)
# Older versions read decimals to the last digit only if asked to; newer ones always do, and warn if asked.
EXACTLY: dict[str, Any] = {"float_precision": "round_trip"} if OLD_PANDAS else {}

COMPRESSED: dict[bytes, Callable[[bytes], bytes]] = {
    b"\x1f\x8b": gzip.decompress,
    b"BZh": bz2.decompress,
    b"\xfd7zXZ\x00": lzma.decompress,
}
"""How a compressed file begins."""
BYTE_ORDER_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
LOOKED_AT = 64 * 1024
"""Characters from which the separator is guessed."""
SEPARATORS = ",;\t|"
"""What may separate columns, beside blanks."""
BLANKS = r"\s+"
DECIMAL_COMMA = re.compile(r"\s*[+-]?\d+,\d+([eE][+-]?\d+)?\s*")


def read_table(source: str, separator: str | None = None) -> pd.DataFrame:
    """The table in a file, or on standard input if the name is `-`.

    What it is shows in its bytes, not in its name: parquet, or text with separated columns; either may be
    compressed. Lines that begin with `#` or `%` are comments; one right above numbers without a header is the
    header.
    """
    name = "standard input" if source == "-" else Path(source).name
    data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    for magic, decompress in COMPRESSED.items():
        if data.startswith(magic):
            try:
                data = decompress(data)
            except (OSError, EOFError, lzma.LZMAError) as error:
                raise ValueError(f"cannot read {name!r}: it is damaged ({error})") from error
    if data.startswith(b"PAR1"):
        try:
            table = pd.read_parquet(io.BytesIO(data))
        except (OSError, ValueError) as error:
            raise ValueError(f"cannot read {name!r}: {error}") from error
    else:
        table = _from_text(_decoded(data, name), name, separator)
    table.columns = [str(column) for column in table.columns]
    if table.empty:
        raise ValueError(f"{name} has a header ({', '.join(table.columns)}) but no rows")
    return table


def _decoded(data: bytes, name: str) -> str:
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    if data.startswith(b"PK"):
        raise ValueError(f"cannot read {name!r}: it is a workbook or a zip archive; save the table as CSV")
    if b"\0" in data[:LOOKED_AT] or data.startswith(b"\x80"):
        raise ValueError(
            f"cannot read {name!r}: it is binary, not a table; CSV, TSV, text and parquet are read"
        )
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _from_text(text: str, name: str, separator: str | None) -> pd.DataFrame:
    comments = [line for line in text.splitlines() if line.lstrip().startswith(("#", "%"))]
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(("#", "%"))]
    if not lines:
        raise ValueError(f"cannot read {name!r}: it is empty")
    separator = separator or guess_separator("\n".join(lines)[:LOOKED_AT])
    separator = {"\\t": "\t", "tab": "\t", " ": BLANKS}.get(separator, separator)
    if len(separator) > 1 and separator != BLANKS:
        separator = re.escape(separator)
    header: list[str] | None = None
    if all(map(_is_number, _fields(lines[0], separator))):
        header = _header_among(comments, len(_fields(lines[0], separator)), separator)
    # A separator at the end of every line makes no column, and none of the others a name of rows.
    options: dict[str, Any] = {"sep": separator, "skipinitialspace": True, "header": 0, "index_col": False}
    options |= EXACTLY
    if len(separator) > 1 and separator != BLANKS:
        options["engine"] = "python"
    if header is not None:
        options |= {"header": None, "names": header}
    if separator != "," and any(DECIMAL_COMMA.fullmatch(cell) for cell in _fields(lines[-1], separator)):
        options["decimal"] = ","
    _check_widths(text, lines[0], separator, name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)  # it says that cells are lost
            return _named(pd.read_csv(io.StringIO("\n".join(lines)), **options))
    except pd.errors.ParserWarning as error:
        raise ValueError(f"cannot read {name!r}: lines have more cells than the first one") from error
    except (ValueError, csv.Error) as error:
        raise ValueError(f"cannot read {name!r}: {error}") from error


def _check_widths(text: str, first: str, separator: str, name: str) -> None:
    """A line with more cells than the first is named; pandas would take the first cells for something else.

    Separators at the end are no cells.
    """
    if '"' in text:
        return  # a quoted cell may go over several lines, which pandas knows
    columns = len(_fields(first, separator))
    for number, line in enumerate(text.splitlines(), 1):
        if len(separator) == 1 and line.count(separator) < columns:
            continue
        cells = _fields(line.rstrip(), separator)
        while cells and not cells[-1].strip():
            cells.pop()
        if len(cells) > columns and not line.lstrip().startswith(("#", "%")):
            raise ValueError(
                f"cannot read {name!r}: line {number} has {len(cells)} cells, the first one {columns}; "
                "mend the line, or say what separates columns with --separator"
            )


def _named(table: pd.DataFrame) -> pd.DataFrame:
    """Columns without a name are called by their place, such as x2; without cells too they are no columns."""
    nameless = [f"Unnamed: {place}" for place in range(1, table.shape[1])]
    table = table.drop(columns=[name for name in nameless if name in table and table[name].isna().all()])
    taken = set(map(str, table.columns))
    names = []
    for place, column in enumerate(map(str, table.columns)):
        own = f"x{place + 1}"
        # The first may count the rows; `nalm.commands.columns` looks at that.
        names.append(own if place and column == f"Unnamed: {place}" and own not in taken else column)
    return table.set_axis(names, axis="columns")


def guess_separator(text: str) -> str:
    """What separates the columns of a text.

    Example:
        >>> guess_separator("a;b\\n1,5;2"), guess_separator("a  b\\n1 2"), guess_separator("only\\n1")
        (';', ' ', ',')
    """
    lines = text.splitlines()
    # The same number of separators on every line tells most; the sniffer knows quotes.
    for candidate in SEPARATORS:
        counts = Counter(len(_fields(line, candidate)) for line in lines[:50])
        if len(counts) == 1 and min(counts) > 1 and not (candidate == "," and ";" in lines[0]):
            return candidate
    try:
        found = csv.Sniffer().sniff(text, delimiters=SEPARATORS + " ").delimiter
    except csv.Error:
        return " " if len(lines[0].split()) > 1 and "," not in lines[0] else ","
    return found


def _fields(line: str, separator: str) -> list[str]:
    if separator in (" ", BLANKS):
        return line.split()
    if len(separator) > 1:
        return re.split(separator, line)
    return next(csv.reader([line], delimiter=separator), [])


def _header_among(comments: list[str], columns: int, separator: str) -> list[str]:
    """Names for columns without a header: the last comment that has as many words, else x1, x2, …"""
    for comment in reversed(comments):
        names = [name.strip() for name in _fields(comment.lstrip().lstrip("#%").strip(), separator)]
        if len(names) == columns and len(set(names)) == columns and not any(map(_is_number, names)):
            return names
    return [f"x{index + 1}" for index in range(columns)]


def _is_number(cell: str) -> bool:
    try:
        float(cell.strip().replace(",", "."))
    except ValueError:
        return False
    return True
