"""Tables as they come: with any separator, compressed, with comments, from a pipe."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import re
import sys
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
    options: dict[str, Any] = {"sep": separator, "skipinitialspace": True, "header": 0, **EXACTLY}
    if len(separator) > 1 and separator != BLANKS:
        options["engine"] = "python"
    if header is not None:
        options |= {"header": None, "names": header}
    if separator != "," and any(DECIMAL_COMMA.fullmatch(cell) for cell in _fields(lines[-1], separator)):
        options["decimal"] = ","
    try:
        return pd.read_csv(io.StringIO("\n".join(lines)), **options)
    except (ValueError, csv.Error) as error:
        raise ValueError(f"cannot read {name!r}: {error}") from error


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
