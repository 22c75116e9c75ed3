"""The run view has the whole curve of a user's own run, and what the record keeps of a shipped one."""

import numpy as np
from made_up_site import HOSTILE, small_study

from nalm.measuring.outcome import Outcome
from nalm.report.site.gather import gather
from nalm.report.site.read_off import Reader
from nalm.report.site.runs import MOST_ROWS, cell_runs, drawn_rows, final_weights
from nalm.store import Store
from nalm.training.run import Curve


def test_all_is_shown_of_a_run(small_store: Store) -> None:
    (part,) = gather(small_store, [small_study()]).parts
    cell = next(cell for cell in part.cells if cell.unit == "NMU" and cell.label == "[-2, -1)")
    shown = cell_runs(part, cell, Reader(cell.architecture, cell.inputs))
    assert [run["seed"] for run in shown["runs"]] == [0, 1, 2, 3, 4]
    assert [run["success"] for run in shown["runs"]] == [True] * 4 + [False]
    first = shown["runs"][0]
    assert len(first["iterations"]) == 50
    assert [name for name, _ in first["curves"]] == ["validation error", "test error", "sparsity error"]
    # All weights are 1: a product of both inputs.
    assert {run["formula"] for run in shown["runs"]} == {"a*b"}
    ((name, rows),) = first["weights"]
    assert name == "layers.0.weight"
    assert np.asarray(rows).tolist() == [[1.0, 1.0]]


def test_own_units_are_not_imported(small_store: Store) -> None:
    (part,) = gather(small_store, [small_study()]).parts
    cell = next(cell for cell in part.cells if cell.unit == HOSTILE)
    assert {run["formula"] for run in cell_runs(part, cell, None)["runs"]} == {""}


def test_long_curves_keep_the_rows_that_matter() -> None:
    iterations = np.arange(5001) * 1000
    curve = Curve(iterations, *(np.ones(5001),) * 3)
    rows = drawn_rows(curve, Outcome(True, 1_234_000, 0.0, 4_321_000))
    assert len(rows) <= MOST_ROWS + 2
    assert {0, 1234, 4321, 5000} <= set(rows.tolist())


def test_large_networks_list_no_weights() -> None:
    assert final_weights('{"a": [[1, 2], [3, 4]], "b": 5}')[1][0] == "b"
    assert final_weights(f'{{"a": {[0.0] * 1000}}}') == []
