"""The 6,000 published runs behind tables 2 and 6 of 001, one by one.

`data/published_runs.parquet` has a row per run of ten models, six operations and the seeds 0 to 99: whether
it was judged solved, the first evaluation below the threshold, and step, errors and sparsity error of the
selected model. The figures are those of the table that accompanies the reference implementation. Our runs of
the same seeds start from the same weights and subsets but see other samples, so they can be compared seed by
seed.
"""

from __future__ import annotations

import functools
from importlib import resources

import pandas as pd

from nalm.measuring.counts import Count
from nalm.studies.claims import Place
from nalm.studies.two_layer import MODELS, TWO_LAYER

UNITS = {model.label: model.record.unit for model in MODELS if not model.record.variant}
"""Our label of a model to the unit it is listed under."""
RANGE = "[1, 2)"


def published_runs() -> pd.DataFrame:
    """Columns unit (class name), operation, seed, solved, first_step_below, validation_at_best, test_at_best,
    sparsity_at_best and best_step.

    Example:
        >>> runs = published_runs()
        >>> nmu = runs[(runs["unit"] == "NMU") & (runs["operation"] == "mul")]
        >>> len(nmu), nmu.loc[~nmu["solved"], "seed"].tolist()
        (100, [70, 85])
    """
    return _table().copy()


def runs_of(place: Place) -> pd.DataFrame | None:
    """The published runs of a place by seed, if they are known."""
    if place.study != TWO_LAYER.name or place.label != RANGE or place.unit not in UNITS:
        return None
    return _by_place().get((UNITS[place.unit], place.operation))


def solved_by(place: Place, iterations: int) -> Count | None:
    """How many of the published runs were solved, and below the threshold by then for the first time."""
    runs = runs_of(place)
    if runs is None:
        return None
    early = runs["solved"] & (runs["first_step_below"] <= iterations).fillna(False).astype(bool)
    return Count(int(early.sum()), len(runs))


def solved_at(place: Place, until: int | None = None) -> list[float] | None:
    """Iterations at which the published solved runs were first below the threshold, if they are known.

    Args:
        place: a cell.
        until: leave out those that were later.
    """
    runs = runs_of(place)
    if runs is None:
        return None
    iterations = runs.loc[runs["solved"], "first_step_below"]
    return [float(each) for each in iterations if until is None or each <= until]


@functools.cache
def _table() -> pd.DataFrame:
    with resources.as_file(resources.files("nalm.studies") / "data" / "published_runs.parquet") as path:
        return pd.read_parquet(path)


@functools.cache
def _by_place() -> dict[tuple[str, str], pd.DataFrame]:
    return {
        (str(unit), str(operation)): rows.set_index("seed")
        for (unit, operation), rows in _table().groupby(["unit", "operation"])
    }
