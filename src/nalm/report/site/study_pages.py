"""One page per study: figures, table, claims, and how it was made."""

from __future__ import annotations

import copy
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from nalm.report.named_tables import NAMED_TABLES
from nalm.report.site import charts
from nalm.report.site.cell_columns import cell_columns, file_name, panels, runs_page, study_page
from nalm.report.site.folder import Folder
from nalm.report.site.gather import Gathered, StudyAtBudget
from nalm.report.site.markup import from_markdown
from nalm.report.site.paper_figures import figures
from nalm.report.site.static_charts import save
from nalm.store import Store
from nalm.studies.claims import Claim, Finding, Verdict, counts
from nalm.studies.published import published
from nalm.studies.study import Study

Remember = Callable[[str, str, Callable[[], str]], str]
"""From a name, all that a text depends on and what computes it to the text: as it was, if nothing changed."""


def anew(name: str, depends_on: str, compute: Callable[[], str]) -> str:
    """Remembers nothing."""
    return compute()


def write_studies(
    folder: Folder, gathered: Gathered, ledger: Mapping[Claim, Finding], remember: Remember = anew
) -> None:
    """The list of all studies, and their pages."""
    folder.page(
        "studies/index.html",
        "studies.html",
        studies=[
            {
                "name": study.name,
                "title": study.title,
                "source": study.source,
                "page": study_page(study).removeprefix("studies/"),
                "runs": runs_of(gathered, study),
                "wanted": len(study.cells) * study.seeds,
                **_verdicts(study, ledger),
            }
            for study in gathered.studies
        ],
    )
    specs = {"heat-map": charts.heat_map(), "three-panels": charts.three_panels()}
    for study in gathered.studies:
        parts = gathered.of(study)
        found = claims_of(study, ledger)
        folder.page(
            study_page(study),
            "study.html",
            study=study,
            facts=facts(study),
            spent=[_spent(part) for part in parts],
            runs_page=runs_page(study) if parts else "",
            specs=specs,
            cells=cell_columns(gathered, study) if parts else None,
            files=panel_files(folder, parts, specs["three-panels"]),
            figures=[figure for part in parts for figure in paper_figures(folder, part, gathered.store)],
            tables=[table for part in parts for table in further_tables(part, gathered, remember)],
            claims=found,
            counts={verdict: n for verdict, n in counts(found).items() if n},
            published=published_rows(study),
        )


def _verdicts(study: Study, ledger: Mapping[Claim, Finding]) -> dict[str, int]:
    """How many claims a study decides, and which way."""
    found = counts(claims_of(study, ledger))
    return {
        "claims": sum(found.values()),
        "reproduced": found[Verdict.REPRODUCED],
        "not_reproduced": found[Verdict.NOT_REPRODUCED],
    }


def runs_of(gathered: Gathered, study: Study) -> int:
    """How many finished runs a study has, of all budgets."""
    return sum(len(kept) for part in gathered.of(study) for kept in part.runs.values())


def claims_of(study: Study, ledger: Mapping[Claim, Finding]) -> dict[Claim, Finding]:
    """The claims that need runs of a study."""
    return {
        claim: finding
        for claim, finding in ledger.items()
        if any(place.study == study.name for place in claim.rule.places)
    }


def facts(study: Study) -> dict[str, str]:
    """What the study is."""
    own, *others = (name for name, _ in study.thresholds)
    lengths = sorted({cell.recipe.iterations for cell in study.cells})
    span = f"{lengths[0]:,}" if len(lengths) == 1 else f"{lengths[0]:,} to {lengths[-1]:,}"
    return {
        "published in": study.source,
        "asks for": f"{len(study.cells)} cells × {study.seeds} seeds, {span} iterations",
        "threshold of success": "gold" if study.gold is not None else own,
        "other thresholds": ", ".join(others if study.gold is None else (own, *others)) or "–",
    }


def _spent(part: StudyAtBudget) -> dict[str, Any]:
    """What was trained at one budget, by which version, in which time, and the command that does it."""
    runs = [run for kept in part.runs.values() for run in kept]
    results = part.results
    name = results.budget.name
    versions = dict.fromkeys((run.version, run.protocol) for run in runs)
    option = "" if name == "full" else f" --budget {shlex.quote(name)}"
    if min(results.wanted, default=0) >= part.study.seeds:
        option += f" --seeds {min(results.wanted)}:{max(results.wanted) + 1}"
    return {
        "budget": name,
        "stamp": part.stamp.removeprefix(f"{name} budget: ") or "all published iterations and seeds",
        "cells": len(part.cells),
        "runs": len(runs),
        "origin": results.origin,
        "hours": sum(run.seconds for run in runs) / 3600,
        "by": ", ".join(f"nalm {version}, protocol {protocol}" for version, protocol in versions),
        "commands": [
            f"nalm {verb} {shlex.quote(part.study.name)}{option}" for verb in ("run", "show", "plot")
        ],
    }


def panel_files(
    folder: Folder, parts: list[StudyAtBudget], spec: dict[str, Any]
) -> dict[str, dict[str, dict[str, str]]]:
    """PNG and PDF of the three panels, by budget and title of the panel."""
    files: dict[str, dict[str, dict[str, str]]] = {}
    for part in parts:
        for number, panel in enumerate(panels(part)):
            rows = _drawn(part.table.loc[list(panel.columns)], list(panel.columns.values()))
            ordered = copy.deepcopy(spec)
            for drawn in (layer for chart in ordered["vconcat"] for layer in chart["layer"]):
                drawn["encoding"]["x"]["sort"] = panel.order
            name = f"three-panels-{number + 1}"
            files.setdefault(part.results.budget.name, {})[panel.title] = _save(
                folder, part, name, ordered, rows, panel.title
            )
    return files


def paper_figures(folder: Folder, part: StudyAtBudget, store: Store) -> list[dict[str, Any]]:
    """What else the paper drew of the study: chart and files."""
    return [
        {
            "title": figure.title,
            "stamp": part.stamp,
            "chart": {"spec": figure.spec, "rows": figure.rows, "label": figure.title},
            "files": _save(folder, part, f"figure-{number + 1}", figure.spec, figure.rows, figure.title),
        }
        for number, figure in enumerate(figures(part.published, store))
    ]


def _save(
    folder: Folder,
    part: StudyAtBudget,
    name: str,
    spec: dict[str, Any],
    rows: list[dict[str, Any]],
    title: str,
) -> dict[str, str]:
    """Write PNG and PDF; where they are, by suffix."""
    path = f"figures/{_plain_name(part)}-{name}"
    lines = [f"{part.study.name}: {title}", *filter(None, [part.stamp])]
    return {
        written.suffix[1:]: Path(path).with_name(written.name).as_posix()
        for written in save(folder.path / path, spec, rows, lines)
    }


def _drawn(rows: pd.DataFrame, columns: list[str]) -> list[dict[str, Any]]:
    """Cells as the rows of the three panels."""
    table = pd.DataFrame({"unit": rows["unit"], "column": columns}, index=rows.index)
    for ours, name in (
        ("success", "success"),
        ("solvedAtMean", "solved_at"),
        ("sparsityDrawn", "sparsity_error"),
    ):
        for end in ("", "_low", "_high"):
            values = rows[f"{name}{end}"]
            table[f"{ours}{end[1:].title()}"] = (
                values.clip(lower=charts.SMALLEST) if ours == "sparsityDrawn" else values
            )
    return records(table)


def _plain_name(part: StudyAtBudget) -> str:
    """Study and budget in letters that any file may have."""
    budget = "".join(letter if letter.isalnum() else "-" for letter in part.results.budget.name)
    return f"{file_name(part.study)}-{budget}"


def further_tables(part: StudyAtBudget, gathered: Gathered, remember: Remember = anew) -> list[Any]:
    """The tables the study declares besides the usual one; some restore all networks, which takes long."""
    runs = " ".join(sorted({run.identity for kept in part.runs.values() for run in kept}))

    def page(name: str) -> str:
        named, table = f"table-{_plain_name(part)}-{name}", NAMED_TABLES[name]
        return remember(named, runs, lambda: table(part.published, gathered.store))

    pages = map(page, part.study.tables)
    return [from_markdown(page) for page in pages if page]


def published_rows(study: Study) -> list[dict[str, Any]]:
    """The published numbers of a study."""
    try:
        rows = published(study.name)
    except ValueError:
        return []  # nothing was published under this name
    return records(rows[["source", "record_unit", "operation", "setting", "metric", "relation", "value"]])


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """A table row by row."""
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]
