"""The page of a fitted formula has all alternatives, and leaves the model as it was."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from nalm import ArithmeticRegressor
from nalm.report.site.solver import Fitted, found_formulas, write_fit

BAD = ["<img src=x onerror=alert(1)>", "</script><b>"]


@pytest.fixture(scope="module")
def fitted() -> tuple[ArithmeticRegressor, Fitted]:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.uniform(1, 5, (200, 2)), columns=BAD)
    table["y & z"] = table[BAD[0]] * table[BAD[1]] ** 2 / 2 + table[BAD[1]]
    model = ArithmeticRegressor(random_state=0).fit(table[BAD], table["y & z"])
    return model, Fitted("bad.csv", table, BAD, "y & z", *found_formulas(model))


def test_the_model_stays_as_it_was(fitted: tuple[ArithmeticRegressor, Fitted]) -> None:
    model, found = fitted
    assert model.verified_
    assert len(found.reports) == len(model.alternatives_) >= 2
    assert found.reports[found.chosen].expression == model.expression_


def test_the_page_has_every_formula_in_three_languages(
    fitted: tuple[ArithmeticRegressor, Fitted], tmp_path
) -> None:
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


def test_a_large_table_is_drawn_in_part(fitted: tuple[ArithmeticRegressor, Fitted], tmp_path) -> None:
    import dataclasses

    _, found = fitted
    long = pd.concat([found.table] * 30, ignore_index=True)
    path = write_fit(tmp_path, dataclasses.replace(found, table=long))
    assert "2,000 rows are drawn" in path.read_text()
    assert path.stat().st_size < 1e6
