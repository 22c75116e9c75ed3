"""The notebooks run from top to bottom and print what they were saved with."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[3] / "examples" / "notebooks").glob("*.ipynb"))
SECONDS = 300
"""For one cell, on a busy machine."""


def printed(cell: Any) -> str:
    """What a cell prints, but for warnings; one tagged `varies` has numbers that depend on the machine."""
    if "varies" in cell.metadata.get("tags", ()):
        return "something" if cell.outputs else ""
    return "".join(output.text for output in cell.outputs if output.get("name") == "stdout")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs_and_prints_what_it_shows(path: Path, tmp_path: Path) -> None:
    saved = nbformat.read(path, as_version=4)
    run = nbformat.from_dict({**saved, "cells": [{**cell} for cell in saved.cells]})
    where = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(run, kernel_name="python3", timeout=SECONDS, resources=where).execute()
    for before, after in zip(saved.cells, run.cells, strict=True):
        if before.cell_type == "code":
            assert printed(after) == printed(before), before.source


def test_there_are_some() -> None:
    assert len(NOTEBOOKS) >= 3
