"""The first formula."""

import re
import runpy
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "examples" / "first_formula.py"


def test_finds_the_formula_and_extrapolates(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(SCRIPT))
    printed = capsys.readouterr().out
    assert "y = a*c" in printed
    error = re.search(r"mean squared error on U\[2, 6\): (\S+)", printed)
    assert error is not None
    assert float(error[1]) < 1e-9
