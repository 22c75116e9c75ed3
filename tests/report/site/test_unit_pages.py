"""The ten lines of every unit's page run."""

import pytest

from nalm.report.site.unit_pages import code
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
