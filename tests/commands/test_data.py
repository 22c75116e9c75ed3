"""`nalm data`."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from nalm.cli import app
from nalm.data import mnist

SAMPLE = Path(__file__).parents[1] / "data" / "mnist-sample"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def test_from_a_folder_then_nothing_is_left_to_do(whole_mnist: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = CliRunner().invoke(app, ["data", "mnist", "--from", str(whole_mnist)])
    assert first.exit_code == 0
    assert "verified" in first.stdout
    monkeypatch.setattr(mnist, "MIRRORS", ())
    again = CliRunner().invoke(app, ["data", "mnist"])
    assert again.exit_code == 0
    assert "verified" in again.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["cifar"], "unknown data 'cifar'; there are mnist"),
        (["mnist", "--from", "nowhere"], "nowhere is not a folder"),
        (["mnist", "--from", str(SAMPLE)], "is not MNIST's"),
    ],
)
def test_mistakes_get_one_line(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(app, ["data", *arguments])
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_study_of_pictures_without_them_says_what_to_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NALM_MNIST", str(tmp_path))
    words = ["run", "two-digit-product", "--budget", "smoke", "--store", str(tmp_path / "store")]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    (complaint,) = (line for line in result.output.splitlines() if "error" in line)
    assert "nalm data mnist" in complaint
