"""Studies on handwritten digits, from training to tables, figures and verdicts."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from nalm.cli import app
from nalm.record import export, shipped
from nalm.report.digit_figures import error_by_length, relative_error
from nalm.report.evidence import StoredEvidence
from nalm.report.results import Results, cell_table
from nalm.store import Store
from nalm.studies.catalogue import STUDIES
from nalm.studies.claims import Place
from nalm.studies.digit_pairs import COLOUR_PRODUCT, TWO_DIGIT_PRODUCT, TWO_DIGIT_QUOTIENT
from nalm.studies.digit_sequences import DIGIT_LOSS, DIGIT_PRODUCT, DIGIT_SUM
from nalm.studies.stored_run import Record
from nalm.studies.study import Selection
from nalm.training import Curve

SEQUENCES = (DIGIT_PRODUCT, DIGIT_SUM, DIGIT_LOSS)
PAIRS = (TWO_DIGIT_PRODUCT, TWO_DIGIT_QUOTIENT, COLOUR_PRODUCT)


def test_published_settings() -> None:
    (cell,) = (c for c in DIGIT_PRODUCT.cells if (c.unit, c.label) == ("NMU", "length 20"))
    assert cell.recipe.iterations == 387_000
    assert [term for term, _ in cell.recipe.penalties] == ["sparse", "rz"]
    (bare,) = (c for c in DIGIT_PRODUCT.cells if (c.unit, c.label) == ("NMU without R_z", "length 20"))
    assert [term for term, _ in bare.recipe.penalties] == ["sparse"]
    clipped = next(c for c in TWO_DIGIT_QUOTIENT.cells if c.unit == "NRU, clipped")
    assert clipped.recipe.clip_norm == 1.0
    assert clipped.recipe.penalties[0][1].strength == 2.0
    assert clipped.recipe.penalties[0][1].start == 30 * 570


@pytest.mark.parametrize("study", SEQUENCES + PAIRS, ids=lambda study: study.name)
def test_every_network_can_be_built(study) -> None:
    for architecture in {cell.architecture for cell in study.cells}:
        architecture.build()
    assert STUDIES[study.name] is study


@pytest.mark.parametrize("study", SEQUENCES, ids=lambda study: study.name)
def test_lengths_look_at_the_same_runs(study) -> None:
    runs = study.runs(study.budget("laptop"), Selection(units=(study.baseline,)), [0])
    assert len(runs) > 10
    assert len({run for _, run in runs}) == 1


@pytest.mark.parametrize("name", ["laptop", "smoke"])
@pytest.mark.parametrize("study", SEQUENCES + PAIRS, ids=lambda study: study.name)
def test_reduced_budgets_are_small(study, name: str) -> None:
    budget = study.budget(name)
    for cell, run in study.runs(budget, seeds=[0]):
        assert run.recipe.iterations <= (2000 if name == "laptop" else 4)
        assert run.recipe.iterations <= budget.rows * run.recipe.evaluate_every
        assert run.task.tested < 10_000
        assert run.recipe.iterations < cell.recipe.iterations


def sequence_records(budget, errors: dict[str, float], seeds: range) -> list[Record]:
    """Runs whose error at length n is n times a number, a little larger from seed to seed."""
    records = {}
    for cell, run in DIGIT_PRODUCT.runs(budget, Selection(units=tuple(errors)), seeds):
        if cell.unit not in errors:
            continue
        base = errors[cell.unit] * (1 + 0.01 * run.seed)
        lengths = {f"length {n}": np.array([9.0, n * base]) for n in range(1, 20)}
        curve = Curve(
            np.array([0, 10]), np.array([5.0, base]), np.array([9.0, 20 * base]), np.zeros(2),
            measures=lengths | {"validation digits right": np.ones(2), "validation last right": np.ones(2)},
        )  # fmt: skip
        records[run] = Record.of(DIGIT_PRODUCT, cell, budget, run, curve, 1.0)
    return list(records.values())


def test_the_baselines_runs_set_the_threshold_of_every_length(store: Store) -> None:
    budget = DIGIT_PRODUCT.budget("full")
    store.add(sequence_records(budget, {"solved product": 1.0, "NMU": 0.9, "sNMU": 1.2}, range(10)))
    results = Results.read(DIGIT_PRODUCT, budget, store, Selection(units=("NMU", "sNMU")))
    assert (results.finished, results.asked) == (20, 20)  # whatever the number of lengths
    for cell, curves in results.curves.items():
        if curves:
            solved = [outcome.success for outcome in results.outcomes(cell)]
            assert solved == [cell.unit == "NMU"] * 10, cell.label
    evidence = StoredEvidence(store)
    place = Place("digit-product", "NMU", "mul", "length 7")
    assert all(outcome.success for outcome in evidence.outcomes(place).values())
    assert len(evidence.outcomes(place, "published")) == 10


def test_the_record_of_shortened_runs_gives_the_same_table_and_no_verdict(tmp_path: Path) -> None:
    budget, folder = DIGIT_PRODUCT.budget("laptop"), tmp_path / "record"
    folder.mkdir()
    filled = Store(tmp_path / "filled")
    filled.add(sequence_records(budget, {"solved product": 1.0, "NMU": 0.9}, range(3)))
    assert export(filled, [DIGIT_PRODUCT.name], folder, budgets=["laptop"]) == {DIGIT_PRODUCT.name: 6}
    (part,) = shipped(folder)
    tables = [cell_table(Results.read(DIGIT_PRODUCT, budget, store)) for store in (filled, part)]
    assert tables[0].equals(tables[1])
    place = Place("digit-product", "NMU", "mul", "length 7")
    assert not StoredEvidence(part).outcomes(place)


def test_weights_at_one_are_a_look_at_the_same_run() -> None:
    weights = {f"weight head.weight[0, {k}]": np.array([0.4, end]) for k, end in enumerate((1.0, 0.97))}
    curve = Curve(np.arange(2), np.ones(2), np.ones(2), np.zeros(2), measures=weights)
    np.testing.assert_allclose(curve.judged_by("weights from 1").test, [0.6, 0.03])
    looks = [cell for cell in TWO_DIGIT_PRODUCT.cells if cell.unit == "NMU"]
    assert [cell.label for cell in looks][-1] == "weights at 1"
    assert len({cell.run(TWO_DIGIT_PRODUCT.budget("full"), 0) for cell in looks}) == 1
    assert "weights at 1" not in {c.label for c in TWO_DIGIT_PRODUCT.cells if c.unit == "solved product"}


def test_without_a_baseline_nothing_is_solved(store: Store) -> None:
    budget = DIGIT_PRODUCT.budget("full")
    store.add(sequence_records(budget, {"NMU": 0.9}, range(3)))
    results = Results.read(DIGIT_PRODUCT, budget, store, Selection(units=("NMU",)), range(3))
    (cell,) = (c for c in results.curves if (c.unit, c.label) == ("NMU", "length 2"))
    assert not any(outcome.success for outcome in results.outcomes(cell))


def test_errors_by_length_are_relative_to_the_baselines(store: Store, tmp_path: Path) -> None:
    budget = DIGIT_PRODUCT.budget("laptop")
    store.add(sequence_records(budget, {"solved product": 1.0, "NMU": 0.5}, range(budget.seeds)))
    results = Results.read(DIGIT_PRODUCT, budget, store)
    ratios = {cell.unit: relative_error(results, cell) for cell, curves in results.curves.items() if curves}
    assert ratios == pytest.approx({"solved product": 1.0, "NMU": 0.5})
    paths = error_by_length(results, store, tmp_path, "errors")
    assert (tmp_path / "errors.png") in paths


@pytest.mark.usefixtures("sample_mnist")
def test_from_training_to_tables_and_figures(tmp_path: Path) -> None:
    common = ["two-digit-product", "--budget", "smoke", "--store", str(tmp_path / "store")]
    chosen = ["--unit", "WeightedProduct"]
    run = CliRunner().invoke(app, ["run", *common, *chosen, "--workers", "1"])
    assert run.exit_code == 0, run.output
    again = CliRunner().invoke(app, ["run", *common, *chosen])
    assert "1 run, 1 in" in again.stdout
    show = CliRunner().invoke(app, ["show", *common, *chosen])
    assert "accuracy on unseen pairs" in show.stdout, show.output
    plot = CliRunner().invoke(app, ["plot", *common, *chosen, "--output", str(tmp_path / "figures")])
    assert plot.exit_code == 0, plot.output
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    assert {"two-digit-product-confusion-smoke.png", "two-digit-product-weight-paths-smoke.png"} <= names
