"""A formula in other languages: Python, LaTeX, C, and as a torch program."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence

import sympy
import torch
from sympy.printing.numpy import NumPyPrinter

from nalm.networks.from_expression import FormulaNetwork

PYTHON = '''"""{title}"""

import numpy


def {name}({arguments}):
    """{formula}"""
    return {code}
'''
C = """/* {title} */

#include <math.h>

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

/* {formula} */
double {name}({arguments})
{{
    return {code};
}}
"""


def to_python(expression: sympy.Expr, inputs: Sequence[str], target: str, title: str) -> str:
    """A module with one function, for numbers and numpy arrays alike.

    Example:
        >>> m, v = sympy.symbols("m v")
        >>> print(to_python(m * v**2 / 2, ["m", "v"], "energy", "kinetic energy").splitlines()[-1].strip())
        return (1/2)*m*v**2
    """
    renamed, names = _identifiers(expression, inputs)
    code = NumPyPrinter({"fully_qualified_modules": True}).doprint(renamed)
    return PYTHON.format(
        title=title,
        name=_identifier(target, set(names)),
        arguments=", ".join(names),
        formula=f"{target} = {expression}",
        code=code,
    )


def to_latex(expression: sympy.Expr, target: str) -> str:
    """An equation, without delimiters.

    Example:
        >>> to_latex(sympy.sqrt(sympy.Symbol("L")), "T")
        'T = \\\\sqrt{L}'
    """
    return f"{sympy.latex(sympy.Symbol(target))} = {sympy.latex(expression)}"


def to_c(expression: sympy.Expr, inputs: Sequence[str], target: str, title: str) -> str:
    """A C file with one function of doubles.

    Example:
        >>> a, b = sympy.symbols("a b")
        >>> print(to_c(a / b, ["a", "b"], "y", "ratio").splitlines()[-2].strip())
        return a/b;
    """
    renamed, names = _identifiers(expression, inputs)
    # Comments must not end early, whatever the columns are called.
    safe = f"{target} = {expression}".replace("*/", "* /")
    return C.format(
        title=title.replace("*/", "* /"),
        name=_identifier(target, set(names)),
        arguments=", ".join(f"double {name}" for name in names),
        formula=safe,
        code=sympy.ccode(renamed),
    )


def to_torch(network: FormulaNetwork) -> torch.export.ExportedProgram:
    """The network as an exported program for batches of doubles; `torch.export.save` writes it."""
    example = torch.ones(2, network.in_features, dtype=torch.float64)
    rows = torch.export.Dim("rows", min=1)
    return torch.export.export(network.eval(), (example,), dynamic_shapes=({0: rows},))


def to_onnx(network: FormulaNetwork) -> bytes:
    """The network as an ONNX model; needs the extra packages of `nalm[onnx]`."""
    try:
        import onnx  # noqa: F401
        import onnxscript  # noqa: F401
    except ImportError as error:
        raise ImportError("ONNX export needs more packages: pip install nalm[onnx]") from error
    program = torch.onnx.export(to_torch(network), verbose=False)
    assert program is not None
    return program.model_proto.SerializeToString()


def _identifiers(expression: sympy.Expr, inputs: Sequence[str]) -> tuple[sympy.Expr, list[str]]:
    """The expression with inputs renamed to what any language accepts, and those names."""
    names: list[str] = []
    for name in inputs:
        names.append(_identifier(name, set(names)))
    back = {sympy.Symbol(old): sympy.Symbol(new) for old, new in zip(inputs, names, strict=True)}
    return expression.xreplace(back), names


def _identifier(name: str, taken: set[str]) -> str:
    """A name made of letters, digits and underscores that is nobody else's."""
    plain = re.sub(r"\W", "_", name, flags=re.ASCII)
    if not plain or plain[0].isdigit() or keyword.iskeyword(plain) or plain in RESERVED:
        plain = f"{plain}_" if plain and not plain[0].isdigit() else f"_{plain}"
    while plain in taken:
        plain += "_"
    return plain


C_WORDS = """auto break case char const continue default do double else enum extern float for goto if int long
register return short signed sizeof static struct switch typedef union unsigned void volatile while main numpy
sqrt pow exp log sin cos tan fabs gamma y0 y1 yn j0 j1 jn"""
"""Words of C, and names its mathematics library has taken."""

RESERVED = frozenset(C_WORDS.split())
