"""`nalm units`."""

from typer.testing import CliRunner

from nalm import MLP, NALU, NMU, LSTMUnit, NACAdd
from nalm.cli import app
from nalm.report.unit_facts import discrete_values, parameter_count
from nalm.units import units


def test_every_unit_has_a_row_with_its_facts() -> None:
    result = CliRunner().invoke(app, ["units"])
    assert result.exit_code == 0
    rows = {line.split()[0]: line for line in result.stdout.splitlines() if line.strip()}
    assert set(units()) <= set(rows)
    for fact in ("NAC+", "2018", "+ -", "{-1, 0, 1}", "2·I·O", "Trask et al."):
        assert fact in rows["NACAdd"]


def test_counts_of_parameters() -> None:
    assert parameter_count(NMU) == "I·O"
    assert parameter_count(NACAdd) == "2·I·O"
    assert parameter_count(LSTMUnit) == "4·I·O + 4·O² + 8·O"

    class Wider(NMU):
        def __init__(self, in_features: int, out_features: int) -> None:
            super().__init__(in_features, 2**out_features)

    assert parameter_count(Wider) == "no polynomial of degree 2"


def test_discrete_values_list_each_set_once() -> None:
    assert discrete_values(NMU(2, 1)) == "{0, 1}"
    assert discrete_values(NALU(2, 1)) == "{-1, 0, 1}, real"
    assert discrete_values(MLP(2, 1)) == "real"
