"""The page of a fitted formula has all alternatives, and leaves the model as it was."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from nalm.report.site.solver import Fitted, write_fit
from nalm.solving.formula.find import Findings
from nalm.solving.formula.table_search import TableSearch, found_formulas

BAD = ["<img src=x onerror=alert(1)>", "</script><b>"]


@pytest.fixture(scope="module")
def fitted() -> tuple[Findings, Fitted]:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.uniform(1, 5, (200, 2)), columns=BAD)
    table["y & z"] = table[BAD[0]] * table[BAD[1]] ** 2 / 2 + table[BAD[1]]
    findings = TableSearch().find(table[BAD], table["y & z"])
    return findings, Fitted("bad.csv", table, BAD, "y & z", *found_formulas(findings))


def test_all_formulas_are_found(fitted: tuple[Findings, Fitted]) -> None:
    findings, found = fitted
    assert findings.report.verified
    assert len(found.reports) >= 2
    assert found.reports[found.chosen] is findings.report


def test_the_page_has_every_formula_in_three_languages(fitted: tuple[Findings, Fitted], tmp_path) -> None:
    _, found = fitted
    path = write_fit(tmp_path, found)
    text = path.read_text()
    count = len(found.reports)
    assert text.count('type="radio"') == count
    assert all(
        f'id="code-{n}-{language}"' in text for n in range(count) for language in ("Python", "LaTeX", "C")
    )
    assert BAD[0] not in text
    assert BAD[1] not in text
    data = json.loads(re.search(r'id="data">(.*?)</script>', text)[1])
    assert data["chosen"] == found.chosen
    # The answer is exact, the shortest alternative is not.
    assert max(map(abs, data["residuals"][found.chosen])) < 1e-12 < max(map(abs, data["residuals"][0]))
    assert (tmp_path / "assets" / "vega.js").stat().st_size < 2e6


def test_a_large_table_is_drawn_in_part(fitted: tuple[Findings, Fitted], tmp_path) -> None:
    import dataclasses

    _, found = fitted
    long = pd.concat([found.table] * 30, ignore_index=True)
    path = write_fit(tmp_path, dataclasses.replace(found, table=long))
    assert "2,000 rows are drawn" in path.read_text()
    assert path.stat().st_size < 1e6
