"""Figures on the disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

FORMATS = ("png", "pdf")


def new_figure(width: float, height: float) -> Any:
    """An empty figure; matplotlib is imported when the first one is drawn."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("figures need matplotlib: pip install 'nalm[report]'") from error
    return Figure(figsize=(width, height), layout="constrained")


def write(figure: Any, folder: Path, name: str) -> list[Path]:
    """Write a figure as PNG and PDF; the same results give the same files."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.{extension}" for extension in FORMATS]
    for path in paths:
        metadata = {"CreationDate": None} if path.suffix == ".pdf" else {"Software": None}
        figure.savefig(path, dpi=200, metadata=metadata)
    return paths
