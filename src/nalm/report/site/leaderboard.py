"""Units by success, for every task."""

from __future__ import annotations

from typing import Any

from nalm.report.results import ranks, unit_table
from nalm.report.site import charts
from nalm.report.site.cell_columns import operation_title, study_page
from nalm.report.site.folder import Folder
from nalm.report.site.gather import Gathered


def write_leaderboard(folder: Folder, gathered: Gathered) -> None:
    """A page that ranks the units of the chosen task, operation and number of inputs."""
    folder.page("leaderboard.html", "leaderboard.html", boards=boards(gathered), spec=charts.leaderboard())


def boards(gathered: Gathered) -> list[dict[str, Any]]:
    """A ranking per task, budget, operation and number of inputs."""
    found = []
    for part in gathered.parts:
        table = unit_table(part.results)
        for (operation, inputs), rows in table.groupby(["operation", "inputs"], sort=False):
            ranked = zip(ranks(rows), rows.to_dict("records"), strict=True)
            found.append(
                {
                    "task": part.study.name,
                    "page": study_page(part.study),
                    "budget": part.results.budget.name,
                    "stamp": part.stamp,
                    "operation": operation_title(str(operation)),
                    "inputs": int(str(inputs)),
                    "rows": [
                        [
                            rank, row["unit"], int(row["unit"] in part.own), row["runs"], row["missing"],
                            row["success"], row["success_low"], row["success_high"], row["ranges_solved"],
                            row["ranges"], row["solved_at_median"], row["sparsity_error"],
                        ]
                        for rank, row in ranked
                    ],
                }
            )  # fmt: skip
    return found
