"""Which functions a network contains."""

from nalm.solving.network.embedding import LayerForm
from nalm.solving.network.structures import active_groups
from nalm.units import Kind

TERNARY = (-1.0, 0.0, 1.0)


def kinds_of(*kinds):
    slots = [LayerForm(kind, TERNARY, 2) for kind in kinds]
    return [tuple(run.kind for run in pattern) for pattern in active_groups(slots)]


def test_simplest_functions_come_first():
    assert kinds_of(Kind.SUM, Kind.POWER) == [(Kind.SUM,), (Kind.POWER,), (Kind.SUM, Kind.POWER)]


def test_layers_of_one_kind_are_one_function():
    assert kinds_of(Kind.SUM, Kind.SUM) == [(Kind.SUM,)]


def test_two_runs_of_a_kind_do_not_stand_in_for_one():
    assert (Kind.SUM, Kind.SUM) not in kinds_of(Kind.SUM, Kind.POWER, Kind.SUM)
    assert kinds_of(Kind.SUM, Kind.POWER, Kind.SUM)[-1] == (Kind.SUM, Kind.POWER, Kind.SUM)
