"""Whatever the package imports is declared, and whatever is declared is imported."""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_imports_and_declared_dependencies_agree() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "deptry", "src", "--no-ansi"], cwd=ROOT, capture_output=True, text=True
    )
    assert found.returncode == 0, found.stderr


def test_every_supported_python_is_classified_and_tested() -> None:
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text()
    for version in ("3.11", "3.12", "3.13"):
        assert f"Programming Language :: Python :: {version}" in PROJECT["classifiers"]
        assert f'"{version}"' in workflow
    assert PROJECT["requires-python"] == ">=3.11"


def test_everything_installed_is_pinned() -> None:
    """The constraints name each direct dependency once."""
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pinned = [line.partition("==")[0].lower().replace("_", "-") for line in lines if "==" in line]
    assert len(pinned) == len(set(pinned))
    wanted = [
        *PROJECT["dependencies"],
        *(
            d
            for name in ("report", "dask", "onnx", "docs", "dev")
            for d in PROJECT["optional-dependencies"][name]
        ),
    ]
    names = {d.partition(">=")[0].partition("[")[0].lower().replace("_", "-") for d in wanted} - {"nalm"}
    assert names - set(pinned) == set()
