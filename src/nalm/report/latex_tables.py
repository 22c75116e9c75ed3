"""Results as LaTeX tables, for papers: `\\usepackage{booktabs}` is all they need."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from nalm.solving.export.latex import ESCAPES

SYMBOLS = {
    "•": r"$\bullet$",
    "σ": r"$\sigma$",
    "×": r"$\times$",
    "−": "$-$",
    "λ": r"$\lambda$",
    "ε": r"$\epsilon$",
}
"""Characters of the units' names that LaTeX has in mathematics only."""

ZERO = 1e-16
"""What a sparsity error of 0 counts as, in distributions that have no room for it."""


def latex_table(units: pd.DataFrame, caption: str) -> str:
    """Units, best first, with their mean success, how many ranges they solve, and when.

    Args:
        units: rows of `unit_table`, of one operation.
        caption: what the table shows.
    """
    rows = [
        rf"    {latex_text(row.unit)} & {row.success:.2f} [{row.success_low:.2f}, {row.success_high:.2f}] & "
        rf"{row.ranges_solved} of {row.ranges} & {_number(row.solved_at_median)} & "
        rf"{_number(row.sparsity_error)} \\"
        for row in _each(units)
    ]
    lines = [
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{{latex_text(caption)}}}",
        r"  \begin{tabular}{lrrrr}",
        r"    \toprule",
        r"    unit & success [95\,\%] & ranges solved & solved at & sparsity error \\",
        r"    \midrule",
        *rows,
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def latex_text(text: str) -> str:
    """Text in which no character means anything to TeX.

    Example:
        >>> print(latex_text("NAC• (50 %), my_unit:A"))
        NAC$\\bullet$ (50 \\%), my\\_unit:A
    """
    return "".join(SYMBOLS.get(c, ESCAPES.get(c, c) if c.isprintable() else " ") for c in str(text))


def _number(value: float) -> str:
    """A count of iterations or a small error; a dash where there is none.

    Example:
        >>> _number(21000.0), _number(3.2e-7), _number(1e-16), _number(math.nan)
        ('21\\\\,000', '$3.2 \\\\times 10^{-7}$', '0', '--')
    """
    if math.isnan(value):
        return "--"
    if value >= 1 or value <= ZERO:
        return f"{value:,.0f}".replace(",", r"\,")
    mantissa, exponent = f"{value:.1e}".split("e")
    return rf"${mantissa} \times 10^{{{int(exponent)}}}$"


def _each(rows: pd.DataFrame) -> list[Any]:
    return list(rows.itertuples())
