"""The ten lines of every unit's page run, and its heat map is of the most telling study."""

import dataclasses

import pytest
from made_up_site import small_study

from nalm.report.site.gather import gather
from nalm.report.site.unit_pages import _heat, code
from nalm.store import Store
from nalm.studies.study import find_budget
from nalm.units.registry import units


@pytest.mark.parametrize("name", sorted(units()))
def test_the_code_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = code(units()[name])
    assert len(text.strip().splitlines()) <= 15
    exec(compile(text.replace("range(2000)", "range(3)"), name, "exec"), {})
    assert capsys.readouterr().out.strip()


def test_the_code_learns_a_product(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code(units()["NMU"]), "NMU", "exec"), {})
    assert "y = a*b" in capsys.readouterr().out


def test_the_heat_map_is_of_all_published_iterations(small_store: Store) -> None:
    (part,) = gather(small_store, [small_study()]).parts
    short = dataclasses.replace(part, results=dataclasses.replace(part.results, budget=find_budget("laptop")))
    cells = [(part, cell, part.runs[cell]) for cell in part.cells if cell.unit == "NMU"]
    many = [(short, cell, short.runs[cell]) for cell in short.cells]
    heat = _heat([*many, *cells], "NMU")
    assert heat is not None
    assert (len(heat["rows"]), heat["stamp"]) == (3, "")
    assert _heat([], "NMU") is None
