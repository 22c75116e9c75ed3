"""The committed tables and pages are what the shipped record gives."""

from pathlib import Path

import pandas as pd
import pytest

from nalm.record import shipped
from nalm.report.pages import pages

RESULTS = Path(__file__).parents[2] / "results"
COMPUTED = dict(pages()) if shipped() else {}


@pytest.mark.parametrize("name", [name for name in COMPUTED if name.endswith(".csv")])
def test_tables(name: str) -> None:
    (RESULTS / name).parent.joinpath(name).read_text(encoding="utf-8")
    keys = ["unit", "operation", "range", "inputs", "budget"]
    ours = pd.read_csv(pd.io.common.StringIO(COMPUTED[name])).set_index(keys)
    committed = pd.read_csv(RESULTS / name).set_index(keys)
    shared = ours.index.intersection(committed.index)
    assert len(shared) == len(ours)
    for column in ("seeds", "success", "solved_at_median"):
        pd.testing.assert_series_equal(committed.loc[shared, column], ours.loc[shared, column])


@pytest.mark.parametrize("name", [name for name in COMPUTED if name.endswith(".md")])
def test_pages(name: str) -> None:
    assert (RESULTS / name).read_text(encoding="utf-8") == COMPUTED[name]
