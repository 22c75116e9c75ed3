"""The formulas beside the one `nalm fit` chose."""

from __future__ import annotations

import pandas as pd
from rich.markup import escape
from rich.table import Table

from nalm.solving.formula.alternatives import table as table_of
from nalm.solving.formula.find import Findings
from nalm.solving.formula.table_search import found_formulas


def found_beside(findings: Findings) -> pd.DataFrame:
    """The formulas that no shorter one equals, with the one that was chosen."""
    return table_of(*found_formulas(findings))


def front_table(found: pd.DataFrame, target: str) -> Table:
    """The formulas by length; the one that was chosen is bold."""
    table = Table(box=None, pad_edge=False)
    table.add_column("length", justify="right")
    table.add_column("error", justify="right")
    table.add_column("verdict")
    table.add_column(escape(f"{target} ="), overflow="fold")
    for line in found.to_dict("records"):
        verdict = str(line["verdict"]).lower().replace("_", " ")
        cells = str(line["complexity"]), f"{line['error']:.3g}", verdict, escape(str(line["formula"]))
        table.add_row(*cells, style="bold" if line["selected"] else None)
    return table
