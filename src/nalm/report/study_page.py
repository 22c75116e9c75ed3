"""A study's tables as a page: success by range, and whatever else the study declares."""

from __future__ import annotations

from nalm.report.markdown import markdown
from nalm.report.named_tables import NAMED_TABLES
from nalm.report.results import Results
from nalm.store import Store


def further_tables(results: Results, store: Store) -> list[str]:
    """The tables a study declares besides the usual ones, in Markdown; empty if there is nothing to say."""
    return [NAMED_TABLES[name](results, store) for name in results.study.tables]


def study_page(results: Results, further: list[str]) -> str:
    """All tables of a study in Markdown.

    Args:
        results: its runs.
        further: what `further_tables` gave.
    """
    by_range = [markdown(results)] if results.study.by_range else []
    return "".join((*by_range, *further))
