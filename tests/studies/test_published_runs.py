"""The published runs one by one."""

from nalm.studies.claims import Place
from nalm.studies.published import published
from nalm.studies.published_runs import UNITS, published_runs, runs_of, solved_at, solved_by

NMU = Place("two-layer", "NMU", "mul", "[1, 2)")


def test_there_are_a_hundred_of_each() -> None:
    runs = published_runs()
    assert len(runs) == 6000
    assert set(runs.groupby(["unit", "operation"]).size()) == {100}


def test_they_are_the_runs_of_table_6() -> None:
    rates = published("two-layer", metric="success").set_index(["unit", "operation"])["value"].to_dict()
    runs = published_runs().groupby(["unit", "operation"])["solved"].mean()
    for key, share in runs.items():
        assert abs(rates[key] - share) < 1e-9, key


def test_by_place_and_iteration() -> None:
    assert solved_by(NMU, 5_000_000).solved == 98
    assert solved_by(NMU, 1_434_000).solved == 49
    assert solved_by(Place("two-layer", "NMU", "mul", "hidden 5"), 5_000_000) is None
    assert len(solved_at(NMU)) == 98
    assert runs_of(NMU).loc[70, "solved"] == False  # noqa: E712
    assert runs_of(Place("two-layer", "gated NAU/NMU", "mul", "[1, 2)")) is None
    assert "NAC•NMU (on NAC+)" not in UNITS
