"""Markdown tables of made-up results whose every number is known."""

from collections.abc import Callable

import pytest

from nalm.report.markdown import markdown
from nalm.report.results import Results
from nalm.store import Store
from nalm.studies.single_module import SINGLE_MODULE
from nalm.studies.stored_run import Record
from nalm.studies.study import BUDGETS, Selection

ONE = Selection(units=("NMU", "NAC•"), operations=("mul",), ranges=("[1, 2)", "[-2, -1)"))

Records = Callable[..., list[Record]]


@pytest.fixture
def page(store: Store, made_up: Records) -> str:
    store.add(made_up(SINGLE_MODULE, BUDGETS["full"], ONE, solves=lambda cell, run: cell.unit == "NMU"))
    return markdown(Results.read(SINGLE_MODULE, BUDGETS["full"], store, ONE))


def test_units_stand_by_success_with_each_range_in_a_column(page: str) -> None:
    lines = page.splitlines()
    assert lines[0] == "### mul, 2 inputs"
    assert lines[2].startswith("| unit | [-2, -1) | [1, 2) |")
    assert lines[4].startswith("| NMU | 1.00 | 1.00 | **1.00** [0.93, 1.00] |")
    assert lines[5].startswith("| NAC• | 0.00 | 0.00 |")


def test_the_record_says_where_numbers_differ(page: str) -> None:
    (row,) = [line for line in page.splitlines() if line.startswith("| NMU | mul |")]
    assert "1 of 2" in row  # 20 and 20 of 25 could be the same, and could be others
    assert "[-2, -1)" in row


def test_a_reduced_budget_is_labelled(store: Store, made_up: Records) -> None:
    store.add(made_up(SINGLE_MODULE, BUDGETS["laptop"], ONE, solves=lambda cell, run: True))
    page = markdown(Results.read(SINGLE_MODULE, BUDGETS["laptop"], store, ONE))
    assert "laptop budget" in page.splitlines()[1]
    assert "Beside the record" not in page
