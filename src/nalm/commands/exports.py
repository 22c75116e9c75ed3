"""Files a fitted formula is written to."""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from nalm.solving.formula.regressor import ArithmeticRegressor


def check_exports(paths: Sequence[Path]) -> None:
    """Fail now, not after the search, if a file cannot be written."""
    for path in paths:
        if path.suffix not in WRITERS:
            raise ValueError(f"cannot export to {path.name!r}: the suffixes are {', '.join(WRITERS)}")
        for package in PACKAGES.get(path.suffix, ()):
            if importlib.util.find_spec(package) is None:
                raise ImportError(f"exporting {path.suffix} needs more packages: pip install nalm[onnx]")
        if path.is_dir():
            raise ValueError(f"cannot export to {str(path)!r}: it is a directory")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists():
                path.open("ab").close()
            else:
                tempfile.TemporaryFile(dir=path.parent).close()
        except OSError as error:
            raise ValueError(f"cannot export to {str(path)!r}: {error.strerror or error}") from error


def export(path: Path, model: ArithmeticRegressor, target: str) -> None:
    """Write the formula of a model in the language its suffix names."""
    WRITERS[path.suffix](path, model, target)


def _title(model: ArithmeticRegressor) -> str:
    return f"Found by nalm fit; {'verified' if model.verified_ else 'not verified'}."


def _write_python(path: Path, model: ArithmeticRegressor, target: str) -> None:
    from nalm.solving.export.python import to_python

    source = to_python(model.expression_, list(model.feature_names_in_), target, _title(model))
    path.write_text(source, encoding="utf-8")


def _write_latex(path: Path, model: ArithmeticRegressor, target: str) -> None:
    from nalm.solving.export.latex import to_latex

    path.write_text(to_latex(model.expression_, target) + "\n", encoding="utf-8")


def _write_c(path: Path, model: ArithmeticRegressor, target: str) -> None:
    from nalm.solving.export.c import to_c

    source = to_c(model.expression_, list(model.feature_names_in_), target, _title(model))
    path.write_text(source, encoding="utf-8")


def _write_torch(path: Path, model: ArithmeticRegressor, target: str) -> None:
    import torch

    from nalm.solving.export.network import to_torch

    torch.export.save(to_torch(model.network_), path)


def _write_onnx(path: Path, model: ArithmeticRegressor, target: str) -> None:
    from nalm.solving.export.network import to_onnx

    path.write_bytes(to_onnx(model.network_))


WRITERS: dict[str, Callable[[Path, ArithmeticRegressor, str], None]] = {
    ".py": _write_python,
    ".tex": _write_latex,
    ".c": _write_c,
    ".pt2": _write_torch,
    ".onnx": _write_onnx,
}
"""How the formula is written, by suffix."""
PACKAGES = {".onnx": ("onnx", "onnxscript")}
"""What a suffix needs beyond what is always installed."""
