import ast
import subprocess
import sys
from pathlib import Path

import pytest

import nalm
from nalm import formulas, networks, solving, training, units

HEAVY = {"torch", "numpy", "sympy", "scipy", "pandas", "sklearn", "pyarrow", "matplotlib", "lark", "rich"}


def modules_after(script: str) -> set[str]:
    """What a fresh interpreter has imported after a script."""
    code = f"import sys\n{script}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return set(done.stdout.split())


def test_the_package_alone_imports_nothing_heavy():
    modules = modules_after("import nalm; nalm.__version__")
    assert not modules & HEAVY
    assert {name for name in modules if name.startswith("nalm")} == {"nalm"}


@pytest.mark.parametrize("room", ["units", "networks", "training", "tasks"])
def test_units_and_training_do_not_wait_for_what_they_rarely_need(room: str):
    # scipy imports its parts when they are first used; sympy is imported by what writes formulas.
    modules = modules_after(f"import nalm.{room}") - modules_after("import torch")
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
    assert not modules_after("import torch; from nalm import NMU; NMU(2, 1)") & {
        "sympy",
        "lark",
        "scipy.stats",
    }


def test_rooms_are_found_as_attributes():
    assert "nalm.tasks" in modules_after("import nalm; nalm.tasks.RANGES")


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
