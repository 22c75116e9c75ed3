"""The committed tables and pages are what the shipped record gives."""

import io
import re
from pathlib import Path

import pandas as pd
import pytest

from nalm.commands.claims import COLOURS
from nalm.commands.shipped_verdicts import shipped_verdicts
from nalm.report.pages import LEDGERS, SLOW, pages
from nalm.studies.catalogue import STUDIES

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "results"


@pytest.fixture(scope="module")
def computed() -> dict[str, str]:
    """Computed once, by the process that needs it: it takes a minute."""
    return dict(pages())


def test_tables(computed: dict[str, str]) -> None:
    keys = ["unit", "operation", "range", "inputs", "budget"]
    tables = [name for name in computed if name.endswith(".csv")]
    assert tables
    for name in tables:
        ours = pd.read_csv(io.StringIO(computed[name])).set_index(keys)
        committed = pd.read_csv(RESULTS / name).set_index(keys)
        shared = ours.index.intersection(committed.index)
        assert len(shared) == len(ours), name
        for column in ("seeds", "success", "solved_at_median"):
            pd.testing.assert_series_equal(
                committed.loc[shared, column], ours.loc[shared, column], obj=f"{column} of {name}"
            )


def test_pages(computed: dict[str, str]) -> None:
    names = [name for name in computed if name.endswith(".md")]
    assert names
    assert [name for name in names if (RESULTS / name).read_text(encoding="utf-8") != computed[name]] == []


def test_tables_on_the_pages_of_results_come_from_the_record_or_are_marked_as_reduced(
    computed: dict[str, str],
) -> None:
    slow = {f"{study.name}.md" for study in STUDIES.values() if SLOW.intersection(study.tables)}
    for page in (ROOT / "docs" / "results").glob("*.md"):
        text = page.read_text(encoding="utf-8")
        for name in re.findall(r'--8<-- "(.+?)"', text):
            committed = (RESULTS / name).exists()  # else it is a piece of text that several pages share
            measured = f"--page results/{name}" in text  # by a benchmark, with its command beside it
            from_record = name in computed or name in slow
            assert from_record or measured or "laptop" in name or not committed, (page.name, name)


def test_shipped_verdicts_are_those_of_the_pages(computed: dict[str, str]) -> None:
    found = shipped_verdicts()
    assert found is not None
    for source, page in LEDGERS.items():
        verdicts = [claim["verdict"] for claim in found["claims"] if claim["id"].startswith(f"{source}-")]
        counts = ", ".join(f"{verdicts.count(name)} {name}" for name in COLOURS)
        assert computed[page].startswith(f"{len(verdicts)} claims: {counts}"), page
