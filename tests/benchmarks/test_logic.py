"""The table of what is solved beside what is learnt can be measured anew."""

import runpy
from pathlib import Path

import pytest

from nalm.studies.catalogue import STUDIES

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "logic.py"
ROWS = list(runpy.run_path(str(SCRIPT))["rows"]())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.task)
def test_solvers_find_what_is_asked(row) -> None:
    assert all(case() for case in row.cases)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.task)
def test_trained_networks_stand_beside_them(row) -> None:
    cells = [cell for cell in STUDIES[row.study].cells if cell.unit == row.trained and row.belongs(cell)]
    assert cells
