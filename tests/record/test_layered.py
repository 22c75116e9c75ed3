"""What ships with the package."""

import warnings

import pytest

from nalm.record.layered import FOLDER, Layered, Shipped, shipped
from nalm.studies.catalogue import STUDIES


def test_every_folder_is_a_study_and_every_run_one_of_its_cells() -> None:
    for part in shipped():
        study = STUDIES[part.directory.name]
        frame = part.frame()
        assert set(frame["study"]) == {study.name}
        cells = {(cell.unit, cell.operation, cell.label, cell.inputs) for cell in study.cells}
        named = set(zip(frame["unit"], frame["operation"], frame["range"], frame["inputs"], strict=True))
        assert named <= cells
        assert frame["identity"].is_unique


def test_it_stays_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.rglob("*.parquet")) < 10e6


def test_identities_are_still_those_of_the_studies() -> None:
    for part in shipped():
        study = STUDIES[part.directory.name]
        cells = {(c.unit, c.operation, c.label, c.inputs): c for c in study.cells}
        rows = part.frame().groupby(["unit", "operation", "range", "inputs", "budget"]).head(1)
        for row in rows.itertuples():
            cell = cells[row.unit, row.operation, row.range, row.inputs]
            assert cell.run(study.budget(row.budget), int(row.seed)).identity == row.identity


def test_a_damaged_file_is_named_and_left_alone(tmp_path) -> None:
    folder = tmp_path / "single-module"
    folder.mkdir()
    broken = folder / f"{'0' * 32}.parquet"
    broken.write_bytes(b"nothing")
    with pytest.warns(RuntimeWarning, match="is corrupt"):
        assert Layered(tmp_path / "own", [Shipped(folder)]).identities() == set()
    assert broken.exists()


def test_an_empty_record_is_no_error(tmp_path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert shipped(tmp_path) == []
