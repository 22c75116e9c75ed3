"""Files a fitted formula is written to."""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import sympy

if TYPE_CHECKING:
    from nalm.networks.from_expression import FormulaNetwork


def check_exports(paths: Sequence[Path]) -> None:
    """Fail now, not after the search, if a file cannot be written."""
    for path in paths:
        if path.suffix not in WRITERS:
            raise ValueError(f"cannot export to {path.name!r}: the suffixes are {', '.join(WRITERS)}")
        for package in PACKAGES.get(path.suffix, ()):
            if importlib.util.find_spec(package) is None:
                raise ImportError(f"exporting {path.suffix} needs more packages: pip install nalm[onnx]")
        check_file(path)


def check_file(path: Path | None) -> None:
    """Fail now, not after long work, if a file cannot be written; nothing is left where it is to be."""
    if path is None:
        return
    if path.is_dir():
        raise ValueError(f"cannot write {str(path)!r}: it is a directory")
    if path.exists():
        try:
            path.open("ab").close()
        except OSError as error:
            raise ValueError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    else:
        check_folder(path.parent, path)


def check_folder(folder: Path | None, path: Path | None = None) -> None:
    """The same for a folder that files are to be written to, or for the one of a file."""
    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise ValueError(f"cannot write {str(path or folder)!r}: {error.strerror or error}") from error


@dataclass(frozen=True)
class Law:
    """What is exported.

    Attributes:
        expression: the formula.
        inputs: the columns, in order.
        target: what it computes.
        verified: whether it is verified.
    """

    expression: sympy.Expr
    inputs: list[str]
    target: str
    verified: bool

    @property
    def title(self) -> str:
        return f"Found by nalm fit; {'verified' if self.verified else 'not verified'}."

    def network(self) -> FormulaNetwork:
        from nalm.networks.from_expression import from_expression

        return from_expression(self.expression, self.inputs)


def export(path: Path, law: Law) -> None:
    """Write a formula in the language the suffix names."""
    WRITERS[path.suffix](path, law)


def _write_python(path: Path, law: Law) -> None:
    from nalm.solving.export.python import to_python

    path.write_text(to_python(law.expression, law.inputs, law.target, law.title), encoding="utf-8")


def _write_latex(path: Path, law: Law) -> None:
    from nalm.solving.export.latex import to_latex

    path.write_text(to_latex(law.expression, law.target) + "\n", encoding="utf-8")


def _write_c(path: Path, law: Law) -> None:
    from nalm.solving.export.c import to_c

    path.write_text(to_c(law.expression, law.inputs, law.target, law.title), encoding="utf-8")


def _write_torch(path: Path, law: Law) -> None:
    import torch

    from nalm.solving.export.network import to_torch

    torch.export.save(to_torch(law.network()), path)


def _write_onnx(path: Path, law: Law) -> None:
    from nalm.solving.export.network import to_onnx

    path.write_bytes(to_onnx(law.network()))


WRITERS: dict[str, Callable[[Path, Law], None]] = {
    ".py": _write_python,
    ".tex": _write_latex,
    ".c": _write_c,
    ".pt2": _write_torch,
    ".onnx": _write_onnx,
}
"""How the formula is written, by suffix."""
PACKAGES = {".onnx": ("onnx", "onnxscript")}
"""What a suffix needs beyond what is always installed."""
