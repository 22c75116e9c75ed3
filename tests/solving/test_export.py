"""A formula in other languages computes the same."""

import ctypes
import shutil
import subprocess
import types
from pathlib import Path

import numpy as np
import pytest
import sympy
import torch

from nalm.networks.from_expression import from_expression
from nalm.solving.export import to_c, to_latex, to_onnx, to_python, to_torch

INPUTS = ["mass (kg)", "lambda", "y1"]
MASS, LAMBDA, Y1 = (sympy.Symbol(name) for name in INPUTS)
FORMULA = sympy.Rational(1, 3) * sympy.pi * MASS / sympy.sqrt(LAMBDA) - sympy.Float(0.1) * Y1**2
X = np.random.default_rng(0).uniform(1, 2, (5, 3))
VALUES = np.pi / 3 * X[:, 0] / np.sqrt(X[:, 1]) - 0.1 * X[:, 2] ** 2


def test_python_takes_arrays_and_any_column_name() -> None:
    module = types.ModuleType("formula")
    exec(to_python(FORMULA, INPUTS, "out put", "a title"), module.__dict__)
    assert module.__doc__ == "a title"
    np.testing.assert_allclose(module.out_put(*X.T), VALUES, rtol=1e-14)


def test_latex_is_an_equation() -> None:
    assert to_latex(sympy.Symbol("alpha") / 2, "y_max") == r"y_{max} = \frac{\alpha}{2}"


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_c_compiles_without_warnings_and_divides_as_it_should(tmp_path: Path) -> None:
    source, library = tmp_path / "formula.c", tmp_path / "formula.so"
    source.write_text(to_c(FORMULA, INPUTS, "y */ y", "ends early? */"))
    subprocess.run(
        ["cc", "-Wall", "-Werror", "-shared", "-fPIC", "-o", str(library), str(source), "-lm"], check=True
    )
    function = ctypes.CDLL(str(library)).y____y
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double] * 3
    np.testing.assert_allclose([function(*row) for row in X], VALUES, rtol=1e-14)


def test_torch_program_takes_any_number_of_rows(tmp_path: Path) -> None:
    program = to_torch(from_expression(FORMULA, INPUTS))
    torch.export.save(program, tmp_path / "formula.pt2")
    loaded = torch.export.load(tmp_path / "formula.pt2").module()
    for rows in (1, 5):
        with torch.no_grad():
            values = loaded(torch.tensor(X[:rows]))[:, 0]
        np.testing.assert_allclose(values, VALUES[:rows], rtol=1e-6)


def test_onnx_model_computes_the_same() -> None:
    pytest.importorskip("onnx")
    pytest.importorskip("onnxscript")
    reference = pytest.importorskip("onnx.reference")
    evaluator = reference.ReferenceEvaluator(to_onnx(from_expression(FORMULA, INPUTS)))
    (values,) = evaluator.run(None, {evaluator.input_names[0]: X})
    np.testing.assert_allclose(values[:, 0], VALUES, rtol=1e-6)
