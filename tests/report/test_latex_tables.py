"""Results as LaTeX tables."""

import math

import pandas as pd

from nalm.report.latex_tables import latex_table


def test_a_table_for_a_paper() -> None:
    rows = pd.DataFrame(
        {
            "unit": ["NAC•NMU", "my_unit:A&B"],
            "success": [1.0, 0.25],
            "success_low": [0.9, 0.1],
            "success_high": [1.0, 0.5],
            "ranges_solved": [9, 2],
            "ranges": [9, 9],
            "solved_at_median": [21000.0, math.nan],
            "sparsity_error": [3.2e-7, 1e-16],  # what 0 counts as
        }
    )
    text = latex_table(rows, "multiplication (50 % of the budget)")
    assert r"\caption{multiplication (50 \% of the budget)}" in text
    assert r"NAC$\bullet$NMU & 1.00 [0.90, 1.00] & 9 of 9 & 21\,000 & $3.2 \times 10^{-7}$ \\" in text
    assert r"my\_unit:A\&B & 0.25 [0.10, 0.50] & 2 of 9 & -- & 0 \\" in text
    assert text.count("{table}") == text.count("{tabular}") == 2
