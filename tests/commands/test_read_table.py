"""Tables as they come."""

import bz2
import gzip
import io
import lzma
import sys
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nalm.commands.read_table import guess_separator, read_table

EXPECTED = pd.DataFrame({"a": [1.5, 2.25], "b": [3.0, 4.0]})


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1.5,3\n2.25,4\n",
        "a;b\n1.5;3\n2.25;4\n",
        "a;b\n1,5;3\n2,25;4\n",
        "a\tb\n1.5\t3\n2.25\t4\n",
        "a\tb\n1,5\t3\n2,25\t4\n",
        "a|b\n1.5|3\n2.25|4\n",
        "a b\n1.5 3\n2.25 4\n",
        "  a    b\n 1.5   3\n2.25   4\n",
        "a, b\r\n1.5, 3\r\n2.25, 4\r\n",
        '"a","b"\n1.5,3\n2.25,4\n',
        "# measured on Monday\na,b\n1.5,3\n# a pause\n2.25,4\n\n",
        "# a b\n1.5 3\n2.25 4\n",
        "% some words first\n% a,b\n1.5,3\n2.25,4\n",
        "\ufeffa,b\n1.5,3\n2.25,4\n",
    ],
)
def test_separators_comments_and_decimal_commas(text: str, tmp_path: Path) -> None:
    (tmp_path / "data.txt").write_text(text, encoding="utf-8")
    table = read_table(str(tmp_path / "data.txt"))
    pd.testing.assert_frame_equal(table.astype(float), EXPECTED)


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress, bytes])
@pytest.mark.parametrize("parquet", [False, True])
def test_compression_shows_in_the_bytes(compress, parquet: bool, tmp_path: Path) -> None:
    data = EXPECTED.to_parquet() if parquet else EXPECTED.to_csv(index=False).encode()
    (tmp_path / "data").write_bytes(compress(data))
    pd.testing.assert_frame_equal(read_table(str(tmp_path / "data")), EXPECTED)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a,b\n1.5,3\n2.25,4\n")))
    pd.testing.assert_frame_equal(read_table("-").astype(float), EXPECTED)


def test_a_given_separator_and_no_header(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("1.5::3\n2.25::4\n")
    table = read_table(str(tmp_path / "data.csv"), "::")
    assert list(table.columns) == ["x1", "x2"]
    assert table.to_numpy().tolist() == EXPECTED.to_numpy().tolist()


def test_decimals_are_read_to_the_last_digit(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("a\n0.1234567890123456789\n9007199254740993.0\n")
    assert read_table(str(tmp_path / "data.csv"))["a"].tolist() == [0.1234567890123456789, 9007199254740993.0]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "'data' *: it is empty"),
        (b"# only words\n", "it is empty"),
        (b"a,b\n", r"has a header \(a, b\) but no rows"),
        (b"\x00\x01\x02" * 50, "it is binary, not a table"),
        (b"\x80\x04\x95pickle", "it is binary"),
        (b"PK\x03\x04rest", "workbook or a zip archive; save the table as CSV"),
        (b"\x1f\x8bnot really", "it is damaged"),
        (b"PAR1 not really", "cannot read"),
        (b'a,b\n"1",2,3\n"4",5,6\n', "lines have more cells than the first one"),
        (b"# words\n\na,b\n1,2\n1,2,3\n", "line 5 has 3 cells, the first one 2; mend the line"),
    ],
)
def test_what_is_no_table(data: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(data)
    with pytest.raises(ValueError, match=message.replace(" *:", ":")) as caught:
        read_table(str(tmp_path / "data"))
    assert len(str(caught.value).strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("a,b\n1,2,\n3,4,\n", ["a", "b"]),  # separators at the end are no cells
        ("a,b,\n1,2,\n3,4,\n", ["a", "b"]),
        ("a,,b\n1,5,2\n3,6,4\n", ["a", "x2", "b"]),
        ("x2,,b\n1,5,2\n3,6,4\n", ["x2", "Unnamed: 1", "b"]),
    ],
)
def test_columns_without_a_name(text: str, columns: list[str], tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text(text)
    table = read_table(str(tmp_path / "data.csv"))
    assert list(table.columns) == columns
    assert table.iloc[:, 0].tolist() == [1, 3]
    assert table["b"].tolist() == [2, 4]


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=300) | st.text(alphabet="ab1.5,;\t\n\"'# -", max_size=200).map(str.encode))
def test_any_file_is_a_table_or_a_value_error(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(data)
    try:
        table = read_table(str(tmp_path / "data"))
    except ValueError:
        return
    assert len(table) > 0


def test_commas_in_text_do_not_separate() -> None:
    assert guess_separator("name;value\nBerlin, Mitte;2\nPotsdam;3") == ";"
