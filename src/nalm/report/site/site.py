"""The whole site, page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from nalm.report.evidence import StoredEvidence
from nalm.report.results import origin
from nalm.report.site import charts
from nalm.report.site.cell_columns import cell_columns
from nalm.report.site.claim_pages import write_ledger, write_published
from nalm.report.site.folder import Folder
from nalm.report.site.gather import Gathered, gather
from nalm.report.site.leaderboard import write_leaderboard
from nalm.report.site.runs import write_runs
from nalm.report.site.study_pages import Remember, anew, write_studies
from nalm.report.site.unit_pages import write_units
from nalm.store import Store
from nalm.studies.claims import ledger_of
from nalm.studies.ledger import CLAIMS
from nalm.studies.study import Study

NAVIGATION = [
    ("Overview", "index.html"),
    ("Leaderboard", "leaderboard.html"),
    ("Studies", "studies/index.html"),
    ("Units", "units/index.html"),
    ("Claims", "claims.html"),
    ("Published record", "published.html"),
]


def write_site(
    path: Path,
    store: Store,
    studies: Iterable[Study],
    told: Callable[[str], None] = lambda part: None,
    remember: Remember = anew,
) -> Gathered:
    """Write the site of a store.

    Args:
        path: the folder.
        store: finished runs, the shipped ones among them or not.
        studies: those to show, with runs or without.
        told: called with what is being written.
        remember: gives tables that take long as they were, if nothing they depend on has changed.
    """
    folder = Folder(path, NAVIGATION)
    told("scripts and style")
    folder.assets()
    told("finished runs")
    gathered = gather(store, studies)
    told("overview and leaderboard")
    write_overview(folder, gathered)
    write_leaderboard(folder, gathered)
    told("runs")
    formulas = write_runs(folder, gathered)
    told("claims")
    ledger = ledger_of(CLAIMS, StoredEvidence(gathered.store))
    told("studies")
    write_studies(folder, gathered, ledger, remember)
    write_ledger(folder, ledger, gathered.studies)
    write_published(folder, ledger)
    told("units")
    write_units(folder, gathered, formulas)
    return gathered


def write_overview(folder: Folder, gathered: Gathered) -> None:
    """Who can do what: heat maps with filters."""
    folder.data("data/cells.js", cell_columns(gathered))
    folder.page(
        "index.html",
        "overview.html",
        spec=charts.heat_map(),
        origin=whose(gathered),
        own=any(part.own for part in gathered.parts),
        left_out=gathered.left_out,
    )


def whose(gathered: Gathered) -> str:
    """How many of the runs came with the package; one that several studies share counts once."""
    runs = {run.identity: run for part in gathered.parts for kept in part.runs.values() for run in kept}
    shipped = sum(run.shipped for run in runs.values())
    return origin(shipped, len(runs) - shipped)
