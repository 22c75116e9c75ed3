"""The published numbers, as data.

`data/published.csv` holds the tables and the numbers in the text of 001 and 002; `data/record_extra.csv` what
exists only in figures (read from their coordinates) or in the tables that accompany the reference
implementations. Both use the literature's names; this module turns them into ours.
"""

from __future__ import annotations

import functools
import re
from importlib import resources
from typing import TYPE_CHECKING

from nalm.tasks.sampling import Uniform

if TYPE_CHECKING:
    import pandas as pd

FILES = ("published.csv", "record_extra.csv")

STUDIES = {
    "single module, 2 inputs, 25 seeds, 50k iterations": "single-module",
    "ten-parameter function, 100 seeds, 2e5 iterations": "ten-parameter",
    "two-layer arithmetic dataset, 100 seeds, 5e6 iterations": "two-layer",
    "two-layer arithmetic dataset by range, 20 seeds": "two-layer-stochastic",
    "two-layer arithmetic dataset by range, 50 seeds": "two-layer-ranges",
    "two-layer arithmetic dataset by hidden size, 30 to 38 seeds": "two-layer-hidden",
    "two-layer arithmetic dataset by input size, 50 seeds": "two-layer-inputs",
    "two-layer arithmetic dataset by overlap ratio, 50 seeds": "two-layer-overlap",
    "two-layer arithmetic dataset by subset ratio, 50 seeds": "two-layer-subset",
    "two-layer arithmetic dataset by penalty strength, 50 seeds": "two-layer-penalty",
    "two-layer arithmetic dataset by optimiser, 25 seeds": "two-layer-optimiser",
    "two-layer arithmetic dataset, ablation of the NMU, 25 seeds": "two-layer-ablation",
    "gating: addition layer then gated layer, 100 seeds": "gating",
    "division, single module, 2 inputs, 25 seeds": "division",
    "division, single module, 10 inputs (8 redundant), 25 seeds": "division-redundant",
    "two-step composition, 16 expressions": "composition",
    "two-digit MNIST product, 10 folds": "two-digit-product",
    "two-digit MNIST division, 10 folds": "two-digit-quotient",
    "colour-channel MNIST product, 3 folds": "colour-product",
    "sequential MNIST product, 10 seeds": "digit-product",
    "sequential MNIST sum, 10 seeds": "digit-sum",
}
"""The record's description of a study to its name here."""

UNITS = {
    "NAC+": ("NACAdd", ""),
    "NAC*": ("NACMul", ""),
    "NAC*,sigma": ("NACMulSigma", ""),
    "NAC*,NMU": ("NACMulNMU", ""),
    "NALU": ("NALU", ""),
    "NALU shared": ("NALU", "shared weights"),
    "NALU separate": ("NALU", "separate weights"),
    "G-NALU": ("GNALU", ""),
    "iNALU": ("INALU", ""),
    "NAU": ("NAU", ""),
    "NMU": ("NMU", ""),
    "NAU-NMU": ("NMU", ""),
    "Gated NAU/NMU": ("GatedNAUNMU", ""),
    "sNMU U[1,5]": ("SNMU", "U[1,5]"),
    "NAU-sNMU U[1,5]": ("SNMU", "U[1,5]"),
    "sNMU batch noise": ("SNMU", "batch noise"),
    "NPU": ("NPU", ""),
    "Real NPU": ("RealNPU", ""),
    "Real NPU (modified)": ("RealNPU", "modified"),
    "Real NPU (modified), clipped": ("RealNPU", "modified, clipped"),
    "NRU": ("NRU", ""),
    "NRU, clipped": ("NRU", "clipped"),
    "NMRU, not clipped": ("NMRU", "not clipped"),
    "NMRU": ("NMRU", ""),
    "MCFC": ("MCFC", ""),
    "MulMCFC": ("MulMCFC", ""),
    "MulMCFC with iNALU sign": ("MulMCFC", "iNALU sign"),
    "MulMCFC with Real NPU sign": ("MulMCFC", "Real NPU sign"),
    "Linear": ("Linear", ""),
    "ReLU": ("ReLU", ""),
    "ReLU6": ("ReLU6", ""),
    "LSTM": ("LSTMUnit", ""),
    "FC": ("WeightedProduct", ""),
    "MLP": ("MLP", ""),
    "MLP (6 layers, 16 hidden)": ("MLP", "6 layers, 16 hidden"),
    "Quadratic (2L; 5HU)": ("Quadratic", "2 layers, 5 hidden"),
    "Quadratic (2L; 2HU)": ("Quadratic", "2 layers, 2 hidden"),
}
"""The record's unit to a class name and its published variant. Networks of several units are not listed."""

METRICS = {
    "success rate": ("success", "=", 1.0),
    "success rate >=": ("success", ">=", 1.0),
    "success %": ("success", "=", 0.01),
    "solved at, median": ("solved_at_median", "=", 1.0),
    "solved at, mean": ("solved_at", "=", 1.0),
    "sparsity error, mean": ("sparsity_error", "=", 1.0),
    "test accuracy %": ("accuracy", "=", 0.01),
    "% of runs": ("share_of_runs", "=", 0.01),
    "expressions solved of 16": ("expressions_solved", "=", 1.0),
    "interpolation MSE": ("interpolation_mse", "=", 1.0),
    "extrapolation MSE": ("extrapolation_mse", "=", 1.0),
}
"""The record's metric to ours, how the value is meant, and its scale."""


def published(
    study: str | None = None,
    unit: str | None = None,
    operation: str | None = None,
    setting: str | None = None,
    metric: str | None = None,
) -> pd.DataFrame:
    """The published numbers, one row each, of the given study, unit, operation, setting and metric.

    Args:
        study: one of the values of `STUDIES`.
        unit: a class name, or the record's name of a unit or network.
        operation: a key of `nalm.tasks.OPERATIONS`.
        setting: an interpolation range such as `"[1, 2)"`, or the record's setting to the letter.
        metric: `"success"`, `"solved_at_median"`, `"solved_at"`, `"sparsity_error"`, … (see `METRICS`).

    Returns:
        Columns source, study, unit (class name; missing for networks of several units), variant, operation,
        range (`"[1, 2)"`; missing where the setting is no range), setting, metric, relation (`"="`, `">="`),
        value, low, high, note and record_unit (the name in the record). Shares are between 0 and 1. Mean
        solved-at and sparsity errors are as published, and the published statistics were wrong (D16, D17):
        compare them with `statistics="published"` only.

    Example:
        >>> rows = published("single-module", "NMU", "mul", "[-2,-1)", "success")
        >>> rows["value"].tolist()
        [0.8]
    """
    table = _table()
    wanted = {"study": study, "operation": operation, "metric": metric}
    for column, value in wanted.items():
        if value is not None:
            known = sorted(table[column].unique())
            if value not in known:
                raise ValueError(f"no published {column} {value!r}; there are {', '.join(known)}")
            table = table[table[column] == value]
    if unit is not None:
        table = table[(table["unit"] == unit) | (table["record_unit"] == unit)]
    if setting is not None:
        table = table[(table["range"] == _range_label(setting)) | (table["setting"] == setting)]
    return table.reset_index(drop=True)


@functools.cache
def _table() -> pd.DataFrame:
    import pandas as pd  # training needs no published numbers, and does not wait for it

    folder = resources.files("nalm.studies") / "data"
    frames = []
    for name in FILES:
        with (folder / name).open(encoding="utf-8") as file:
            frames.append(pd.read_csv(file))
    record = pd.concat(frames, ignore_index=True)
    units = [UNITS.get(name, (None, name)) for name in record["unit"]]
    metrics = [METRICS[name] for name in record["metric"]]
    scale = pd.Series([scale for _, _, scale in metrics])
    return pd.DataFrame(
        {
            "source": record["source"],
            "study": record["study"].map(STUDIES),
            "unit": [name for name, _ in units],
            "variant": [variant for _, variant in units],
            "operation": record["operation"],
            "range": [_range_label(setting) for setting in record["setting"]],
            "setting": record["setting"],
            "metric": [metric for metric, _, _ in metrics],
            "relation": [relation for _, relation, _ in metrics],
            "value": record["value"] * scale,
            "low": record["low"] * scale,
            "high": record["high"] * scale,
            "note": record["note"].fillna(""),
            "record_unit": record["unit"],
        }
    )


def _range_label(setting: str) -> str | None:
    """Our label of the interpolation range a setting names: `"[1,2)"`, `"t=…, U[1,2]->U[2,6]"`."""
    match = re.search(r"(?:^\s*|,\s*)U?\[\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*[\])]", setting)
    return Uniform(float(match[1]), float(match[2])).label if match else None
