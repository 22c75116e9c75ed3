"""The search without scikit-learn finds what the estimator finds."""

import numpy as np
import pandas as pd
import pytest

from nalm import ArithmeticRegressor
from nalm.solving.formula.table_search import TableSearch, found_formulas


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    table = pd.DataFrame(rng.uniform(1, 5, (60, 2)), columns=["m", "v"])
    table["w"] = rng.integers(0, 3, 60)
    table["energy"] = table["m"] * table["v"] ** 2 / 2 + rng.normal(0, 0.05, 60)
    return table


def test_both_find_the_same(table: pd.DataFrame) -> None:
    rows = table[["m", "v"]], table["energy"], table["w"]
    model = ArithmeticRegressor(random_state=7).fit(*rows)
    findings = TableSearch(seed=7).find(*rows)
    assert findings.report.expression == model.expression_
    assert findings.report.constants == model.report_.constants
    reports, chosen = found_formulas(findings)
    assert [report.formula for report in reports] == model.alternatives_["formula"].tolist()
    assert reports[chosen] is findings.report
    judged = TableSearch().judge("m*v**2/2", *rows)
    assert judged.status is model.judge("m*v**2/2").status
    assert judged.fitted == model.judge("m*v**2/2").fitted


def test_mistakes_are_named(table: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match="positive number of seconds, got 0"):
        TableSearch(max_time=0)
    negative = table["w"].where(table.index != 4, -1)
    with pytest.raises(ValueError, match="the weight of row 5 is negative"):
        TableSearch().find(table[["m", "v"]], table["energy"], negative)
    with pytest.raises(ValueError, match="all sample weights are zero"):
        TableSearch().judge("m", table[["m", "v"]], table["energy"], 0 * table["w"])
