"""A formula in Python computes the same, and runs nothing else."""

import ast
import math
import types
from types import SimpleNamespace

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from nalm.solving.export.python import to_python


def loaded(source: str) -> types.ModuleType:
    module = types.ModuleType("formula")
    exec(compile(source, "formula", "exec"), module.__dict__)
    return module


def test_takes_arrays_and_any_column_name(awkward: SimpleNamespace) -> None:
    source = to_python(awkward.formula, awkward.inputs, "out put", "a title")
    module = loaded(source)
    assert module.__doc__ == "a title"
    np.testing.assert_allclose(module.out_put(*awkward.x.T), awkward.values, rtol=1e-14)
    assert '# mass_kg stands for "mass (kg)"' in source


def test_constants_keep_every_digit() -> None:
    number = 1.2345678901234567
    module = loaded(to_python(number * sympy.Symbol("a"), ["a"], "y", ""))
    assert module.y(1.0) == number


HOSTILE = [
    '"""\nimport os\nos.abort()\n"""',
    "a\nimport os; os.abort()",
    "\\xi",
    "C:\\users",
    "\\N{",
    "numpy",
    "def",
    "__debug__",
    "None",
    "a\u2028b",
    "a\x0cb",
    "\ud800",
    "",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_data(name: str) -> None:
    formula = 2 * sympy.Symbol(name) + sympy.pi
    module = loaded(to_python(formula, [name], name, name))
    (function,) = [value for key, value in vars(module).items() if isinstance(value, types.FunctionType)]
    assert function(1.0) == 2 + math.pi


@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=30))
def test_a_module_is_a_title_an_import_and_a_function(column: str, target: str, title: str) -> None:
    tree = ast.parse(to_python(2 * sympy.Symbol(column), [column], target, title))
    assert [type(node) for node in tree.body] == [ast.Expr, ast.Import, ast.FunctionDef]
    assert isinstance(tree.body[2], ast.FunctionDef)
    assert [type(node) for node in tree.body[2].body] == [ast.Return]
