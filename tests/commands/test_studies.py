"""`nalm studies`."""

from typer.testing import CliRunner

from nalm.cli import app
from nalm.commands.studies import effort
from nalm.studies.single_module import SINGLE_MODULE


def test_lists_studies_and_their_units() -> None:
    out = CliRunner().invoke(app, ["studies"]).stdout
    assert "single-module" in out
    assert "Real NPU (modified)" in " ".join(out.split())


def test_effort() -> None:
    runs, iterations = effort(SINGLE_MODULE)
    assert int(runs) == len(SINGLE_MODULE.cells) * 25
    expected = sum(cell.recipe.iterations for cell in SINGLE_MODULE.cells) * 25
    assert iterations == f"{expected:.2g}"
