"""What commands print, on terminals as they are."""

import io
import json
import sys
import warnings

import pytest

from nalm.commands import terminal
from nalm.commands.terminal import accept_any_encoding, calm_warnings, error_line, print_json


def test_any_encoding_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="latin-1"))
    accept_any_encoding()
    print("a × b ≥ −1, 日", flush=True)
    assert raw.getvalue().decode("latin-1") == "a × b >= -1, ?\n"


def test_an_error_is_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    error_line("first\nsecond [bold] " + "word " * 30)
    assert capsys.readouterr().err.count("\n") == 1


def test_json_has_no_nan(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"a": float("nan"), "b": [float("inf"), 1.5], "c": "−"})
    assert json.loads(capsys.readouterr().out) == {"a": None, "b": [None, 1.5], "c": "−"}


def warn(message: str, category: type[Warning] = RuntimeWarning, filename: str = terminal.__file__) -> None:
    warnings.warn_explicit(message, category, filename, 1)


def test_our_warnings_are_said_once_and_others_not(capsys: pytest.CaptureFixture[str]) -> None:
    with calm_warnings(everything=False):
        warnings.simplefilter("always")
        for _ in range(2):
            warn("no compiler\nfound")
        warn("internal", FutureWarning)
        warn("of a library", filename="/elsewhere/torch/x.py")
        warn("overflow encountered in multiply")
    assert capsys.readouterr().err == "warning: no compiler found\n"


def test_all_warnings_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    with calm_warnings(everything=True):
        warnings.simplefilter("always")
        warn("internal", FutureWarning)
    assert "FutureWarning: internal" in capsys.readouterr().err
