"""The picture of the README."""

import importlib
from pathlib import Path

import pytest
import torch

from nalm import NMU

ROOT = Path(__file__).parents[2]


def test_the_picture_can_be_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.syspath_prepend(ROOT / "examples")
    example = importlib.import_module("extrapolation")
    example.draw(str(tmp_path / "picture.svg"), iterations=8)
    picture = (tmp_path / "picture.svg").read_text()
    assert all(label in picture for label in ("MLP", "NALU", "NMU", "trained here"))


def test_an_exact_product_has_the_error_of_its_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "examples")
    example = importlib.import_module("extrapolation")
    unit = NMU(2, 1)
    unit.assign(weight=torch.ones(1, 2))
    assert example.relative_error(unit, 1000.0) == pytest.approx(1.2e-7, rel=0.01)
    unit.assign(weight=torch.tensor([[1.0, 0.0]]))
    assert example.relative_error(unit, 1000.0) == pytest.approx(1.0, abs=0.01)
