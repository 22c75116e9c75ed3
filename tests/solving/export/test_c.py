"""A formula in C computes the same, and defines nothing else."""

import ctypes
import re
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from nalm.solving.export.c import to_c

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


def compiled(source: str, name: str, arguments: int, directory: Path):
    """The function of a file that compiles without any warning."""
    file, library = directory / "formula.c", directory / "formula.so"
    file.write_text(source)
    warnings = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter"]
    subprocess.run(["cc", *warnings, "-shared", "-fPIC", "-o", str(library), str(file), "-lm"], check=True)
    function = ctypes.CDLL(str(library))[name]
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double] * arguments
    return function


@needs_compiler
def test_compiles_without_warnings_and_divides_as_it_should(awkward: SimpleNamespace, tmp_path: Path) -> None:
    source = to_c(awkward.formula, awkward.inputs, "y */ y", "ends early? */")
    function = compiled(source, "y_y", 3, tmp_path)
    np.testing.assert_allclose([function(*row) for row in awkward.x], awkward.values, rtol=1e-14)


@needs_compiler
def test_all_awkward_names_at_once(tmp_path: Path) -> None:
    names = [
        "restrict",
        "M_PI",
        "a\\\nint evil(void){return 1;}",
        "??/",
        "*/ int evil; /*",
        "I",
        "isnan",
        "_t",
        "exp",
    ]
    formula = sympy.Add(*map(sympy.Symbol, names)) + sympy.exp(sympy.Symbol("exp")) + sympy.E
    function = compiled(to_c(formula, names, "round", "\\"), "round_", len(names), tmp_path)
    assert function(*[1.0] * len(names)) == pytest.approx(len(names) + 2 * np.e, rel=1e-14)


@pytest.mark.parametrize("target", ["round", "malloc", "read", "main", "int", "sqrtf"])
def test_no_function_of_the_system_is_replaced(target: str) -> None:
    assert f"double {target}_(double a)" in to_c(sympy.Symbol("a"), ["a"], target, "")


@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=30))
def test_names_stay_inside_comments(column: str, target: str, title: str) -> None:
    source = to_c(2 * sympy.Symbol(column), [column], target, title)
    code = re.sub(r"/\*.*?\*/", "", source, flags=re.DOTALL)
    rest = [line for line in code.splitlines() if line.strip() and not line.startswith("#")]
    assert len(rest) == 4
    assert re.fullmatch(r"double \w+\(double \w+\)", rest[0])
    assert re.fullmatch(r"    return 2\*\w+;", rest[2])
    assert not any(line.endswith(("\\", "??/")) for line in source.splitlines())
