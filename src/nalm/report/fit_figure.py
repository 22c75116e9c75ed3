"""A formula against the data it was fitted on: predictions and residuals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nalm.report.canvas import new_figure
from nalm.report.figures import COLOURS

SUFFIXES = (".png", ".pdf", ".svg")
MANY = 2000
"""Points beyond which they are drawn small and pale, so that they do not hide each other."""


def draw_fit(path: Path, data: NDArray[np.float64], predicted: NDArray[np.float64], target: str) -> None:
    """Data against predictions with the line of equality, and below it what the formula leaves.

    Args:
        path: the file; its suffix decides the format.
        data: the target on every row.
        predicted: the formula's value there; rows where it has none are left out.
        target: the name of the target.
    """
    finite = np.isfinite(predicted)
    data, predicted = data[finite], predicted[finite]
    figure = new_figure(5.0, 6.4)
    upper, lower = figure.subplots(2, sharex=True, height_ratios=(2, 1))
    style: dict[str, Any] = {"linestyle": "none", "marker": ".", "color": COLOURS[0]}
    style |= {"markersize": 2, "alpha": 0.3} if len(data) > MANY else {"markersize": 5, "alpha": 0.7}
    upper.plot(predicted, data, **style)
    ends = [predicted.min(initial=np.inf), predicted.max(initial=-np.inf)]
    if len(data):
        upper.plot(ends, ends, color="0.4", linewidth=0.8, zorder=0)
    upper.set_ylabel(target)
    lower.plot(predicted, data - predicted, **style)
    lower.axhline(0.0, color="0.4", linewidth=0.8, zorder=0)
    lower.set_ylabel(f"{target} − formula")
    lower.set_xlabel("formula")
    metadata = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}}.get(path.suffix, {"Software": None})
    figure.savefig(path, dpi=200, metadata=metadata)
