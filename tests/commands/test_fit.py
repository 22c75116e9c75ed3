"""`nalm fit`."""

import functools
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from nalm.cli import app

RNG = np.random.default_rng(0)


@pytest.fixture
def table() -> pd.DataFrame:
    frame = pd.DataFrame(RNG.uniform(1, 5, (120, 2)), columns=["mass", "speed"])
    return frame.assign(energy=frame["mass"] * frame["speed"] ** 2 / 2, label="text")


def fit(*arguments: object):
    return CliRunner().invoke(app, ["fit", *map(str, arguments)])


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_formula_verdict_and_residuals(table: pd.DataFrame, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"data{suffix}"
    if suffix == ".parquet":
        table.to_parquet(path)
    else:
        table.to_csv(path, index=False, sep="," if suffix == ".csv" else "\t")
    result = fit(path, "--target", "energy")
    assert result.exit_code == 0, result.stderr
    assert "energy = mass*speed**2/2" in result.stdout
    assert "\nverified" in result.stdout
    assert "not numeric, left out: label" in result.stdout
    assert "energy − formula" in result.stdout


def test_exports(table: pd.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    table.to_csv(path, index=False)
    outputs = [tmp_path / "out" / f"energy{suffix}" for suffix in (".py", ".tex", ".c")]
    result = fit(path, "--target", "energy", *(part for out in outputs for part in ("--export", out)))
    assert result.exit_code == 0, result.stderr
    assert "return (1/2)*mass*speed**2" in outputs[0].read_text()
    assert outputs[1].read_text() == "energy = \\frac{mass speed^{2}}{2}\n"
    assert "double energy(double mass, double speed)" in outputs[2].read_text()


def test_json_and_quiet(table: pd.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "data.csv.gz"
    table.to_csv(path, index=False)
    found = json.loads(fit(path, "--target", "energy", "--json").stdout)
    assert found["formula"] == "mass*speed**2/2"
    assert found["verified"] is True
    assert found["latex"] == r"energy = \frac{mass speed^{2}}{2}"
    assert found["notes"] == ["not numeric, left out: label"]
    assert fit(path, "--target", "energy", "--quiet").stdout == "energy = mass*speed**2/2\n"


def test_constants_have_errors_and_simple_numbers_are_named(table: pd.DataFrame, tmp_path: Path) -> None:
    noise = 1 + 1e-4 * np.random.default_rng(1).standard_normal(len(table))
    table.assign(energy=table["energy"] * noise).to_csv(tmp_path / "data.csv", index=False)
    out = fit(tmp_path / "data.csv", "--target", "energy").stdout
    assert re.search(r"constant 0\.(50000|49999)\d* ± 0\.0000\d+, within its error of 1/2", out)
    assert out.startswith("not numeric, left out: label\nenergy = mass*speed**2/2\n")
    assert re.search(r"as fitted, and as exported: energy = 0\.(50000|49999)\d*\*mass\*speed\*\*2", out)
    assert fit(tmp_path / "data.csv", "--target", "energy", "-q").stdout == "energy = mass*speed**2/2\n"


def test_a_table_of_two_decimals_gives_the_law(table: pd.DataFrame, tmp_path: Path) -> None:
    rounded = pd.DataFrame({"a": table["speed"].round(2), "b": table["mass"].round(2)})
    rounded["y"] = (table["speed"] ** 2 / table["mass"]).round(2)
    rounded.to_csv(tmp_path / "rounded.csv", index=False)
    found = json.loads(fit(tmp_path / "rounded.csv", "--target", "y", "--json").stdout)
    assert (found["law"], found["status"]) == ("a**2/b", "ROUNDED")
    judged = fit(tmp_path / "rounded.csv", "--target", "y", "--formula", "a**2/b").stdout
    assert "not verified (ROUNDED): it agrees with the data to the digits they are rounded to" in judged


def test_rows_with_bad_cells(table: pd.DataFrame, tmp_path: Path) -> None:
    text = table.to_csv(index=False, sep=";").splitlines()
    text[5] = "oops;1;2;text"
    (tmp_path / "data.txt").write_text("\n".join(text))
    result = fit(tmp_path / "data.txt", "--target", "energy")
    assert result.exit_code == 2
    assert "column 'mass' has no finite number in 1 row, the first is row 5 ('oops')" in result.stderr
    result = fit(tmp_path / "data.txt", "--target", "energy", "--drop-rows")
    assert "energy = mass*speed**2/2" in result.stdout
    assert "left out 1 of 120 rows without a number in every column: 5" in result.stdout


def test_exports_are_tried_before_the_search(
    table: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.to_csv(tmp_path / "data.csv", index=False)
    monkeypatch.setattr("nalm.commands.fit.read_table", lambda *_: pytest.fail("too late"))
    (tmp_path / "taken.py").mkdir()
    (tmp_path / "file").touch()
    for path, message in (("taken.py", "it is a directory"), ("file/a.py", "cannot write")):
        result = fit(tmp_path / "data.csv", "--target", "energy", "--export", tmp_path / path)
        assert result.exit_code == 2
        assert message in result.stderr


def test_a_formula_of_ones_own_is_judged(table: pd.DataFrame, tmp_path: Path) -> None:
    table.to_csv(tmp_path / "data.csv", index=False)
    judge = functools.partial(fit, tmp_path / "data.csv", "--target", "energy", "--formula")
    out = judge("energy = mass*speed^2/2", "--export", tmp_path / "law.py").stdout
    assert "\nverified" in out
    assert "return (1/2)*mass*speed**2" in (tmp_path / "law.py").read_text()
    out = judge("mass*speed**2").stdout
    assert "not verified" in out
    assert "with its constants fitted: energy = mass*speed**2/2" in out
    assert json.loads(judge("mass*speed", "--json").stdout)["status"] == "APPROXIMATION"
    for text, message in [
        ("mass*sped", "unknown name 'sped'; did you mean 'speed'?"),
        ("__import__('os')", "unknown name 'os'"),
        ("power = mass", "the formula is of 'power', but the target is 'energy'"),
        ("log(mass - 3)", "the formula is undefined on"),
    ]:
        result = judge(text)
        assert result.exit_code == 2
        assert message in result.stderr


def test_what_is_printed_can_be_judged(table: pd.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    table.rename(columns={"mass": "m [kg]", "speed": "v (m/s)"}).to_csv(path, index=False)
    found = fit(path, "--target", "energy", "--quiet").stdout.strip()
    assert found == "energy = 'm [kg]'*'v (m/s)'**2/2"
    assert fit(path, "--target", "energy", "--quiet", "--formula", found).stdout.strip() == found


def test_columns_and_weights(table: pd.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    table["energy"] = table["mass"] + 1
    table.loc[:9, "energy"] = 1000.0
    table.assign(weight=(table.index >= 10).astype(int)).to_csv(path, index=False)
    result = fit(path, "--target", "energy", "--column", "mass", "--weight", "weight")
    assert result.exit_code == 0, result.stderr
    assert "energy = mass + 1" in result.stdout
    assert "\nverified" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["data.csv", "--target", "height"], "no column 'height'; it has mass, speed, energy, label"),
        (["data.csv", "--target", "label"], "column 'label' is not numeric"),
        (["data.csv", "--target", "energy", "--export", "a.f90"], "cannot export to 'a.f90'"),
        (["data.xls", "--target", "energy"], "cannot read 'data.xls'"),
        (["missing.csv", "--target", "energy"], "missing.csv"),
        (
            ["gaps.csv", "--target", "energy"],
            "column 'mass' has no finite number in 1 row, the first is row 3",
        ),
        (["lonely.csv", "--target", "energy"], "no numeric column beside the target"),
        (["data.csv", "--target", "energy", "--max-time", "0"], "max_time must be a positive number"),
        (["empty.csv", "--target", "energy"], "cannot read 'empty.csv'"),
    ],
)
def test_mistakes_are_named(
    table: pd.DataFrame,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    table.to_csv("data.csv", index=False)
    Path("data.xls").write_bytes(bytes(100))
    table.assign(mass=table["mass"].where(table.index != 2)).to_csv("gaps.csv", index=False)
    table[["energy", "label"]].to_csv("lonely.csv", index=False)
    Path("empty.csv").touch()
    result = fit(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_alternatives_and_plot(table: pd.DataFrame, tmp_path: Path) -> None:
    path, figure = tmp_path / "data.csv", tmp_path / "figures" / "energy.png"
    table.to_csv(path, index=False)
    shown = fit(path, "--target", "energy", "--alternatives", "--plot", figure)
    assert shown.exit_code == 0, shown.stderr
    assert re.search(r"verified +mass\*speed\*\*2/2", shown.stdout)
    assert f"wrote {figure}" in shown.stdout
    assert figure.stat().st_size > 1000
    found = json.loads(fit(path, "--target", "energy", "--alternatives", "--json").stdout)
    assert found["alternatives"][-1]["formula"] == found["formula"]
    assert found["alternatives"][-1]["selected"] is True
    assert found["alternatives"][0]["complexity"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--plot", "energy.txt"), "the suffixes are .png, .pdf, .svg"),
        (("--plot", "/dev/null/energy.png"), "cannot write '/dev/null/energy.png'"),
        (("--report", "/dev/null"), "cannot write '/dev/null'"),
        (("--alternatives", "--formula", "mass"), "--alternatives needs a search"),
    ],
)
def test_impossible_outputs_fail_before_the_search(
    table: pd.DataFrame,
    tmp_path: Path,
    arguments: tuple[str, ...],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("nalm.commands.fit.read_table", lambda *_: pytest.fail("too late"))
    path = tmp_path / "data.csv"
    table.to_csv(path, index=False)
    result = fit(path, "--target", "energy", *arguments)
    assert result.exit_code != 0
    assert message in str(result.exception) + result.stderr


def test_units_and_outliers(table: pd.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    table.loc[5, "energy"] += 1000.0
    table.to_csv(path, index=False)
    units = "mass=kg, speed=m/s, energy=J"
    result = fit(path, "--target", "energy", "--robust", "--units", units)
    assert result.exit_code == 0, result.stderr
    assert "energy = mass*speed**2/2" in result.stdout
    assert "1 of 120 rows are outliers and were left out" in result.stdout
    assert "units agree" in result.stdout
    for wrong, message in (("mass", "takes name=unit"), ("mass=kg", "lacks speed, energy")):
        refused = fit(path, "--target", "energy", "--units", wrong)
        assert message in str(refused.exception) + refused.stderr
