"""Tab completion: names of studies and units, without importing what they are made of."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from nalm.cli import COMMANDS, load
from nalm.commands.completion import Remembered, _names, _options

SCRIPT = """
import sys
from nalm.__main__ import main
try:
    main()
finally:
    assert {} or "torch" not in sys.modules
"""


@pytest.fixture(scope="module")
def names() -> dict[str, list[str]]:
    return _names()


def offered(name: str, names: dict[str, list[str]], *words: str) -> list[str]:
    """What follows the words, of which the last is incomplete."""
    command = Remembered(name, _options(load(name)), names)
    *before, incomplete = words
    context = command.make_context(name, list(before), resilient_parsing=True)
    return [item.value for item in command.shell_complete(context, incomplete)]


def test_names(names: dict[str, list[str]]) -> None:
    assert offered("run", names, "single") == ["single-module"]
    assert "two-layer" in offered("show", names, "two")
    assert offered("run", names, "single-module", "--unit", "NAC") == [
        name for name in names["unit"] if name.startswith("NAC")
    ]
    assert "NACAdd" in offered("run", names, "single-module", "--unit", "NAC")
    assert offered("run", names, "single-module", "-u", "NMU", "--budget", "la") == ["laptop"]
    assert "mul" in offered("plan", names, "--operation", "mu")
    assert offered("check", names, "NMU") == [name for name in names["unit"] if name.startswith("NMU")]
    assert offered("run", names, "single-module", "s") == []  # there is one study already
    assert offered("run", names, "--workers", "2", "single") == ["single-module"]
    assert offered("run", names, "--workers", "") == []


def test_options(names: dict[str, list[str]]) -> None:
    assert {"--unit", "--dask", "--store"} <= set(offered("run", names, "--"))
    for name in COMMANDS:
        assert "--help" not in _options(load(name))["values"]


def test_the_second_tab_imports_nothing(tmp_path: Path) -> None:
    asked = {
        "_NALM_COMPLETE": "complete_bash",
        "COMP_WORDS": "nalm run single-m",
        "COMP_CWORD": "2",
        "XDG_CACHE_HOME": str(tmp_path),
    }
    for first in (True, False):
        command = [sys.executable, "-c", SCRIPT.format(first)]
        result = subprocess.run(command, env=os.environ | asked, capture_output=True, text=True, check=False)
        assert result.stdout.split() == ["single-module"], result.stderr
        assert "AssertionError" not in result.stderr
    (file,) = (tmp_path / "nalm").iterdir()
    assert file.name.startswith("completion-run-")
