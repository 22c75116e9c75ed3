"""Rooms import leftwards only, files stay small, and a name says which class is meant."""

import ast
from collections.abc import Iterator
from pathlib import Path

import nalm

PACKAGE = Path(nalm.__file__).parent
ORDER = (
    {"compiler", "data"},
    {"units", "formulas"},
    {"networks"},
    {"conformance"},
    {"tasks"},
    {"training", "solving"},
    {"measuring"},
    {"studies"},
    {"store"},
    {"record"},
    {"report"},
    {"commands"},
    {"cli"},
    {"__main__"},
)
"""The rooms of the package from left to right; rooms side by side do not know each other."""
COMMANDS = {"claims", "run"}
"""A command's file is called what users type, even where a file elsewhere is called the same."""
FILES = sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    """The first part of a file's path inside the package; `nalm` for the package's own `__init__`."""
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "nalm" if first == "__init__" else first


def imported_rooms(source: str) -> Iterator[tuple[int, str]]:
    """Line and room of every import of the package from itself; `nalm` stands for the whole package."""
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            assert node.module is not None
            names = [node.module]
            if node.module == "nalm":
                names = [f"nalm.{a.name}" if (PACKAGE / a.name).is_dir() else "nalm" for a in node.names]
        for name in names:
            first, _, rest = name.partition(".")
            if first == "nalm":
                yield node.lineno, rest.split(".")[0] or "nalm"


def rank(room: str) -> int:
    (position,) = (index for index, rooms in enumerate(ORDER) if room in rooms)
    return position


def violations(source: str, room: str) -> list[str]:
    """Imports that a file of this room must not make."""
    return [
        f"line {line}: {room} imports {other}"
        for line, other in imported_rooms(source)
        if other != room and (other == "nalm" or rank(other) >= rank(room))
    ]


def test_imports_go_left() -> None:
    found: dict[str, list[str]] = {}
    for path in FILES:
        room = room_of(path)
        if room != "nalm":
            wrong = violations(path.read_text(), room)
            if room == "cli":
                wrong = [entry for entry in wrong if "imports nalm" not in entry]  # its version
            found[str(path.relative_to(PACKAGE))] = wrong
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_files_stay_small() -> None:
    lines = {str(path.relative_to(PACKAGE)): len(path.read_text().splitlines()) for path in FILES}
    assert {path: count for path, count in lines.items() if count > 400} == {}


def test_no_two_classes_share_a_name() -> None:
    places: dict[str, list[str]] = {}
    for path in FILES:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(str(path.relative_to(PACKAGE)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_no_two_files_share_a_name() -> None:
    rooms: dict[str, list[str]] = {}
    for path in FILES:
        if path.name != "__init__.py" and not (room_of(path) == "commands" and path.stem in COMMANDS):
            rooms.setdefault(path.stem, []).append(str(path.parent.relative_to(PACKAGE)))
    assert {name: found for name, found in rooms.items() if len(found) > 1} == {}


def test_the_check_sees_a_wrong_import() -> None:
    assert violations("from nalm.training.attach import attach", "units") == [
        "line 1: units imports training"
    ]
    assert violations("import nalm.solving", "training") == ["line 1: training imports solving"]
    assert violations("def f():\n    from nalm import NMU", "tasks") == ["line 2: tasks imports nalm"]
    assert violations("from nalm.units.base import Unit\nimport torch", "networks") == []
