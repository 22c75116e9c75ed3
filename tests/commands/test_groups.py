"""`nalm fit --by`: one law per group, with a shared form."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sympy
from typer.testing import CliRunner

from nalm.cli import app
from nalm.commands.groups import shape_of


def springs(noise: float = 0.0) -> pd.DataFrame:
    """Hooke's law for three springs, the first of which has a constant of exactly one."""
    rng = np.random.default_rng(0)
    parts = []
    for name, stiffness in (("soft", 1.0), ("hard", 7.25), ("steel", 31.5)):
        x = rng.uniform(0.1, 2, 60)
        force = stiffness * x**2 / 2 * (1 + noise * rng.normal(size=60))
        parts.append(pd.DataFrame({"spring": name, "x": x, "energy": force}))
    return pd.concat(parts).sample(frac=1, random_state=0)


def fitted(table: pd.DataFrame, tmp_path: Path, *options: str) -> dict:
    path = tmp_path / "springs.csv"
    table.to_csv(path, index=False)
    command = ["fit", str(path), "--target", "energy", "--by", "spring", "--max-time", "20", *options]
    result = CliRunner().invoke(app, [*command, "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_one_form_and_a_constant_for_every_group(tmp_path: Path) -> None:
    found = fitted(springs(), tmp_path)
    assert found["form"] == "c1*x**2"
    assert found["verified"]
    formulas = {name: record["formula"] for name, record in found["groups"].items()}
    assert formulas == {"soft": "x**2/2", "hard": "29*x**2/8", "steel": "63*x**2/4"}
    assert all(record["rows"] == 60 for record in found["groups"].values())


def test_a_form_of_ones_own(tmp_path: Path) -> None:
    found = fitted(springs(noise=0.01), tmp_path, "--formula", "energy = x**2")
    assert found["form"] == "c1*x**2"
    assert not found["verified"]  # noise is never verified
    stiffness = [float(record["formula"].partition("*")[0]) for record in found["groups"].values()]
    np.testing.assert_allclose(sorted(stiffness), [0.5, 3.625, 15.75], rtol=0.01)


def test_the_table_says_which_constant_is_whose(tmp_path: Path) -> None:
    path = tmp_path / "springs.csv"
    springs().to_csv(path, index=False)
    result = CliRunner().invoke(app, ["fit", str(path), "-t", "energy", "--by", "spring"])
    assert result.exit_code == 0, result.output
    assert "energy = c1*x**2" in result.stdout
    assert "verified in 3 of 3 groups of spring" in result.stdout
    assert ["hard", "60", "3.625", "1", "verified"] in [line.split() for line in result.stdout.splitlines()]
    quiet = CliRunner().invoke(app, ["fit", str(path), "-t", "energy", "--by", "spring", "--quiet"])
    assert "hard: energy = 29*x**2/8" in quiet.stdout


def test_constants_of_noisy_groups_have_their_errors(tmp_path: Path) -> None:
    path = tmp_path / "springs.csv"
    springs(noise=0.01).to_csv(path, index=False)
    command = ["fit", str(path), "-t", "energy", "--by", "spring", "--formula", "x**2"]
    lines = CliRunner().invoke(app, command).stdout.splitlines()
    hard = next(line.split() for line in lines if line.strip().startswith("hard"))
    assert hard[3] == "±"
    value, error = float(hard[2]), float(hard[4])
    assert abs(value - 3.625) < 4 * error < 0.1


def test_shapes() -> None:
    x, y = sympy.symbols("x y")
    assert shape_of([x * y, 2.5 * x * y], ["x", "y"]) == (sympy.Symbol("c1") * x * y, [[1.0], [2.5]])
    assert shape_of([x + 3, 2.5 * x + 3.0], ["x"]) == (sympy.Symbol("c1") * x + 3, [[1.0], [2.5]])
    assert shape_of([x, x**2], ["x"]) is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--by", "colour"], "has no column 'colour'"),
        (["--by", "spring", "--alternatives"], "--by gives several laws"),
    ],
)
def test_mistakes(tmp_path: Path, options: list[str], message: str) -> None:
    path = tmp_path / "springs.csv"
    springs().to_csv(path, index=False)
    result = CliRunner().invoke(app, ["fit", str(path), "--target", "energy", *options])
    assert result.exit_code == 2
    assert message in result.stderr


def test_groups_that_are_none(tmp_path: Path) -> None:
    table = springs()
    table["spring"] = [f"number {place}" for place in range(len(table))]
    path = tmp_path / "springs.csv"
    table.to_csv(path, index=False)
    result = CliRunner().invoke(app, ["fit", str(path), "--target", "energy", "--by", "spring"])
    assert "has 180 different values in 180 rows: --by needs a column of groups" in result.stderr


def test_a_group_too_small_for_a_law(tmp_path: Path) -> None:
    path, table = tmp_path / "springs.csv", springs()
    lone = table.iloc[:1].assign(spring="lone")
    pd.concat([table, lone]).to_csv(path, index=False)
    command = ["fit", str(path), "--target", "energy", "--by", "spring"]
    refused = CliRunner().invoke(app, command)
    assert refused.exit_code == 2
    assert "the group 'lone' has 1 row, too few for a law" in refused.stderr
    assert "with --drop-rows" in refused.stderr
    found = json.loads(CliRunner().invoke(app, [*command, "--drop-rows", "--json"]).stdout)
    assert found["verified"]
    assert "lone" not in found["groups"]
    assert found["notes"][-1] == "left out 1 row of groups with fewer than 3: lone"
