"""Finding units by name."""

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from nalm import NMU, NACAdd, Unit, find_unit, register
from nalm.units import registry, units


def test_by_class_name_paper_name_and_path() -> None:
    assert find_unit("NMU") is find_unit("nmu") is find_unit("nalm.units.multiplicative:NMU") is NMU
    assert find_unit("NAC+") is NACAdd


def test_unknown_names_say_what_there_is() -> None:
    with pytest.raises(
        ValueError,
        match=r"unknown unit 'NMV'; did you mean .*'NMU'.*`nalm units`.* module:Class",
    ):
        find_unit("NMV")
    with pytest.raises(ValueError, match=r"not a subclass of nalm\.Unit"):
        find_unit("nalm.units.base:Weight")
    with pytest.raises(ValueError, match="cannot import 'no_such:Unit'"):
        find_unit("no_such:Unit")


def test_two_units_of_one_name_are_refused() -> None:
    class Impostor(NMU):
        pass

    Impostor.__name__ = "NMU"
    with pytest.raises(ValueError, match="'NMU' is registered already"):
        register(Impostor)
    assert units()["NMU"] is NMU


def test_a_unit_must_say_where_it_comes_from() -> None:
    class Anonymous(Unit):
        name = "anonymous"

    with pytest.raises(TypeError, match="Anonymous must define source, operations"):
        register(Anonymous)


def test_units_of_other_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "their_package.py").write_text("from nalm import NMU\n\n\nclass Theirs(NMU):\n    pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    entry = EntryPoint("Theirs", "their_package:Theirs", "nalm.units")
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry])
    monkeypatch.setattr(registry, "_UNITS", dict(registry._UNITS))
    # Packages are looked through once in a process, which other tests have done.
    monkeypatch.setattr(registry, "_register_installed", registry._register_installed.__wrapped__)
    assert find_unit("Theirs").__module__ == "their_package"
    assert "Theirs" in units()
