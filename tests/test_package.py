import ast
import subprocess
import sys
from pathlib import Path

import pytest

import nalm
from nalm import formulas, networks, solving, training, units

HEAVY = {"torch", "numpy", "sympy", "scipy", "pandas", "sklearn", "pyarrow", "matplotlib", "lark", "rich"}


def modules_after(*scripts: str) -> list[set[str]]:
    """What a fresh interpreter has imported after each of some scripts, one after the other."""
    code = "import sys\n" + "\n".join(f"{script}\nprint(*sys.modules)" for script in scripts)
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return [set(line.split()) for line in done.stdout.splitlines()]


def test_the_package_alone_imports_nothing_heavy():
    (modules,) = modules_after("import nalm; nalm.__version__")
    assert not modules & HEAVY
    assert {name for name in modules if name.startswith("nalm")} == {"nalm"}


def test_units_and_training_do_not_wait_for_what_they_rarely_need():
    # scipy imports its parts when they are first used; sympy is imported by what writes formulas.
    before, after, studies = modules_after(
        "import torch", "import nalm.training, nalm.tasks", "import nalm.commands.run, nalm.studies.catalogue"
    )
    assert not studies & {"pandas", "scipy.stats", "scipy.optimize", "sklearn", "matplotlib", "torch._dynamo"}
    modules = after - before
    assert {"nalm.units", "nalm.networks", "nalm.training", "nalm.tasks"} <= modules
    rarely = {
        "sympy",
        "scipy.stats",
        "scipy.optimize",
        "pandas",
        "sklearn",
        "torch._dynamo",
        "torch._inductor",
    }
    assert not modules & rarely
    assert len(modules) < 250


def test_a_unit_needs_neither_sympy_nor_the_parser():
    unit, room = modules_after("from nalm import NMU; NMU(2, 1)", "import nalm; nalm.tasks.RANGES")
    assert not unit & {"sympy", "lark", "scipy.stats"}
    assert "nalm.tasks" in room  # rooms are found as attributes


def test_every_public_name_is_offered_by_the_package():
    for room in (formulas, units, networks, training):
        assert set(room.__all__) <= set(dir(nalm))
        assert all(getattr(nalm, name) is getattr(room, name) for name in room.__all__)
    assert len(nalm.__all__) == len(set(nalm.__all__))


def test_everything_the_solver_offers_is_offered_by_the_package():
    assert set(solving.__all__) <= set(dir(nalm))
    assert all(getattr(nalm, name) is getattr(solving, name) for name in solving.__all__)
    assert nalm.solve is solving.solve


def test_type_checkers_see_every_room():
    source = ast.parse(Path(nalm.__file__).read_text())
    blocks = [node for node in ast.walk(source) if isinstance(node, ast.If)]
    imported = {n.module for block in blocks for n in block.body if isinstance(n, ast.ImportFrom)}
    assert imported == {f"nalm.{room}" for room in nalm.ROOMS}


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'NUM'"):
        nalm.NUM  # noqa: B018
