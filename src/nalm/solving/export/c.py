"""A formula as a C file."""

from __future__ import annotations

from collections.abc import Sequence

import sympy
from sympy.printing.c import C99CodePrinter

from nalm.solving.export.c_names import KEYWORDS, LIBRARY, MACROS, MATH
from nalm.solving.export.names import Names, quoted

FILE = """/* {title} */

#include <math.h>

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

{comments}
double {name}({arguments})
{{
    return {code};
}}
"""


def to_c(expression: sympy.Expr, inputs: Sequence[str], target: str, title: str) -> str:
    """A C file with one function of doubles.

    Example:
        >>> a, b = sympy.symbols("a b")
        >>> print("\\n".join(to_c(a / b, ["a", "b"], "y", "ratio").splitlines()[-5:]))
        /* y = a/b */
        double y(double a, double b)
        {
            return a/b;
        }
    """
    names = Names(inputs, target, KEYWORDS | MACROS | MATH, LIBRARY)
    printer = C99CodePrinter({"math_macros": {sympy.pi: "M_PI"}})
    # Constants other than π have macros in some headers only.
    others = expression.atoms(sympy.NumberSymbol) - {sympy.pi}
    numeric = expression.xreplace({constant: sympy.Float(constant, 17) for constant in others})
    return FILE.format(
        title=quoted(title),
        comments="\n".join(f"/* {line.replace('*/', '* /')} */" for line in names.comments(expression)),
        name=names.target,
        arguments=", ".join(f"double {name}" for name in names.inputs) or "void",
        code=printer.doprint(names.renamed(numeric)),
    )
