"""Cells that are no numbers."""

import pandas as pd
import pytest

from nalm.commands.columns import usable

TABLE = pd.DataFrame(
    {
        "mass": ["1.5", "2", "n.a.", "4"],
        "speed": [1.0, None, 3.0, float("inf")],
        "colour": ["red", "green", "2", "blue"],
        "energy": [1, 2, 3, 4],
    }
)
DEFAULTS = {
    "target": "energy",
    "columns": None,
    "weight": None,
    "group": None,
    "drop_rows": False,
}


def test_one_bad_cell_is_an_error_and_no_lost_column() -> None:
    with pytest.raises(
        ValueError,
        match=r"'mass' has no finite number in 1 row, the first is row 3 \('n\.a\.'\).*--drop-rows",
    ):
        usable(TABLE, "data", **DEFAULTS)


def test_other_columns_with_bad_cells_are_named_too() -> None:
    with pytest.raises(ValueError, match=r"\('n\.a\.'\) \('speed' has such rows too\): mend the table"):
        usable(TABLE, "data", **DEFAULTS)


def test_rows_are_dropped_on_request_and_named() -> None:
    found = usable(TABLE, "data", **{**DEFAULTS, "drop_rows": True})
    assert found.table.to_numpy().tolist() == [[1.5, 1.0, 1.0]]
    assert found.notes == [
        "not numeric, left out: colour",
        "left out 3 of 4 rows without a number in every column: 2, 3, 4",
    ]


def test_only_columns_that_are_used_count() -> None:
    found = usable(TABLE.assign(other=TABLE["energy"]), "data", **{**DEFAULTS, "columns": ["other"]})
    assert list(found.table.columns) == ["energy", "other"]
    assert len(found.table) == 4


def test_denormal_numbers_are_named() -> None:
    table = pd.DataFrame({"a": [1e-310, 2e-310], "energy": [1.0, 2.0]})
    with pytest.raises(ValueError, match=r"'a' has only values below 2.2e-308.*power of ten"):
        usable(table, "data", **DEFAULTS)


def test_groups_stay_as_text() -> None:
    options = {**DEFAULTS, "columns": ["mass"], "group": "colour", "drop_rows": True}
    assert usable(TABLE, "data", **options).table["colour"].tolist() == ["red", "green", "blue"]


def test_row_numbers_that_pandas_wrote() -> None:
    table = pd.DataFrame({"Unnamed: 0": [0, 1], "a": [1.0, 2.0], "energy": [1.0, 2.0]})
    found = usable(table, "data", **DEFAULTS)
    assert list(found.table.columns) == ["a", "energy"]
    assert found.notes == ["the first column has no name and counts the rows: left out"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"target": "height"}, "no column 'height'; it has mass, speed, colour, energy"),
        ({"target": "colour"}, "column 'colour' is not numeric: its first cell is 'red'"),
        ({"columns": ["colour"]}, "column 'colour' is not numeric"),
        ({"columns": ["energy"]}, "no numeric column beside the target"),
        ({"columns": ["none"], "drop_rows": True}, "has a number in every column"),
    ],
)
def test_mistakes(changes: dict, message: str) -> None:
    table = TABLE.assign(none=[1.0, None, None, None]).assign(energy=[None, 2.0, 3.0, 4.0])
    with pytest.raises(ValueError, match=message):
        usable(table if "none" in str(changes) else TABLE, "data", **{**DEFAULTS, **changes})
