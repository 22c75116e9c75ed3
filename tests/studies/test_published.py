"""The published record: complete, in our names, and with the numbers the papers print."""

import math

import pandas as pd
import pytest

from nalm.studies import published
from nalm.studies.published import STUDIES, UNITS
from nalm.tasks import OPERATIONS, RANGES
from nalm.units import find_unit


def only(*args, **kwargs):
    rows = published(*args, **kwargs)
    assert len(rows) == 1
    return rows.iloc[0]


def test_every_row_is_mapped():
    rows = published()
    assert len(rows) > 1000
    for column in ("source", "study", "operation", "setting", "metric", "value", "record_unit"):
        assert rows[column].notna().all()
    assert set(rows["study"]) == set(STUDIES.values())
    assert set(rows["operation"]) - set(OPERATIONS) == {"op2(op1(a,b),c)"}


def test_units_are_ours():
    assert {find_unit(name).__name__ for name, _ in UNITS.values()} == {name for name, _ in UNITS.values()}
    unmapped = set(published().loc[lambda rows: rows["unit"].isna(), "record_unit"])
    assert all("[" in name or "baseline" in name or "recurrent" in name for name in unmapped)


def test_shares_are_between_0_and_1():
    rows = published()
    shares = rows[rows["metric"].isin(["success", "accuracy", "share_of_runs"])]
    assert shares["value"].between(0, 1).all()


def test_no_cell_has_two_values():
    """Apart from the one number that two sources print: NMU × on [1, 2), in a figure and in the text."""
    rows = published()
    key = ["study", "unit", "variant", "record_unit", "operation", "setting", "metric"]
    double = rows[rows.duplicated(key, keep=False)]
    assert (
        double[["study", "unit", "setting", "value"]].to_numpy().tolist()
        == [["single-module", "NMU", "[1,2)", 1.0]] * 2
    )


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        (("two-layer", "NMU", "mul", None, "success"), 0.98),
        (("two-layer", "NACMul", "mul", "[1, 2)", "success"), 0.31),
        (("two-layer", "NAU", "add", None, "solved_at_median"), 18000),
        (("ten-parameter", "NMU", "mul", None, "success"), 0.94),
        (("gating", "NALU separate", "add", None, "success"), 0.51),
        (("single-module", "NMU", "mul", "[-1.2,-1.1)", "success"), 0.68),
        (("single-module", "MulMCFC", "mul", "[-2, 2)", "success"), None),
        (("division", "RealNPU", "div", "mixed-signs; uniform", "success"), 0.44),
        (("division-redundant", "NMRU", "div", "large magnitude; Benford", "success"), 0.16),
        (("two-layer-hidden", "NMU", "mul", "hidden 10", "success"), 0.632),
        (("two-layer-ranges", "NMU", "mul", "[0,1)", "success"), 1.0),
        (("two-layer-optimiser", "NACMul", "mul", "Adam, lr 1e-2", "success"), 0.88),
        (("two-digit-quotient", "MLP", "div", None, "accuracy"), 0.00004),
        (("composition", "recurrent input, frozen modules", None, None, "expressions_solved"), 7),
    ],
)
def test_numbers_of_the_papers(arguments, value):
    if value is None:
        variants = published(*arguments).set_index("variant")["value"].to_dict()
        assert variants == {"": 0, "iNALU sign": 1, "Real NPU sign": 1}
    else:
        assert only(*arguments)["value"] == pytest.approx(value)


def test_lower_bounds_are_marked():
    row = only("single-module", "INALU", "sub", "[1.1, 1.2)", "success")
    assert (row["relation"], row["value"]) == (">=", 0.4)


def test_intervals_where_published():
    row = only("two-layer", "Linear", "sub", None, "solved_at")
    assert (row["value"], row["low"], row["high"]) == (
        1446751.4734793992,
        836626.2757393775,
        2147484.466919322,
    )
    assert math.isnan(only("two-layer", "Linear", "sub", None, "success")["low"])


def test_ranges_have_our_labels():
    rows = published("single-module", "NAU", "add", metric="success")
    assert set(rows["range"]) == set(RANGES)
    assert pd.isna(only("two-layer-hidden", "NALU", "mul", "hidden 2", "success")["range"])


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="there are colour-product, composition"):
        published("three-layer")
    with pytest.raises(ValueError, match="success"):
        published(metric="successes")


def test_a_caller_cannot_change_the_record():
    rows = published()
    rows.loc[:, "value"] = 0.0
    assert only("two-layer", "NMU", "mul", None, "success")["value"] == pytest.approx(0.98)
