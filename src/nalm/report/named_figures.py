"""Figures beyond the three panels, by name: what `nalm plot` draws of studies that declare them, or alone."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

from nalm.report.batch_noise import draw_batch_noise
from nalm.report.digit_figures import confusion, error_by_length, success_by_length, weight_paths
from nalm.report.error_panels import error_panels
from nalm.report.expectation_figure import draw_expectation
from nalm.report.gate_figures import gate_histogram
from nalm.report.gold_errors import draw_gold_errors
from nalm.report.optima import draw_journeys, draw_landscape
from nalm.report.perceptron_surfaces import perceptron_surfaces
from nalm.report.results import Results
from nalm.report.success_lines import success_lines
from nalm.report.surfaces import DIVIDERS, EPSILONS, draw_surfaces
from nalm.store import Store

OF_RESULTS: dict[str, Callable[[Results, Store, Path, str], list[Path]]] = {
    "confusion": confusion,
    "error-by-length": error_by_length,
    "errors": error_panels,
    "gate-histogram": gate_histogram,
    "perceptron-surfaces": perceptron_surfaces,
    "success-lines": success_lines,
    "success-by-length": success_by_length,
    "weight-paths": weight_paths,
}
"""Drawn from finished runs: (results, store, folder, name of the files)."""

OF_FORMULAS: dict[str, Callable[[Path, str], list[Path]]] = {
    "two-layer-surfaces": functools.partial(draw_surfaces, panels=EPSILONS),
    "division-surfaces": functools.partial(draw_surfaces, panels=DIVIDERS),
    "expectation-error": draw_expectation,
    "nmu-landscape": draw_landscape,
    "starting-points": draw_journeys,
    "batch-noise": draw_batch_noise,
    "gold-errors": draw_gold_errors,
}
"""Drawn without any run: (folder, name of the files). 001 figure 2, 002 figure 5.18, 001 figure 5, and 002
figures 4.1, 4.3, 4.9 and 5.12."""
