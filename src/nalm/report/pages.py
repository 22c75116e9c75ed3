"""The pages of results, computed from the record: tables of every study, and the ledger of every source."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Iterator
from pathlib import Path

from nalm.record.layered import FOLDER, Layered, shipped
from nalm.report.evidence import StoredEvidence
from nalm.report.ledger import ledger_page
from nalm.report.own_statistics import means, thresholds
from nalm.report.reduced_tables import reduced_page
from nalm.report.results import Results, cell_table
from nalm.report.reviewer import listed, verdicts_by_source
from nalm.report.seed_by_seed import seed_by_seed
from nalm.report.study_page import further_tables, study_page
from nalm.store import Store
from nalm.studies.catalogue import STUDIES
from nalm.studies.claims import Verdict, ledger_of
from nalm.studies.ledger import CLAIMS
from nalm.studies.ledger.division_places import ALL, MIXED, PRINTED
from nalm.studies.study import BUDGETS, Cell, Selection, Study
from nalm.studies.two_layer import TWO_LAYER
from nalm.tasks.division import DISTRIBUTIONS

LEDGERS = {
    "001": "claims-001.md",
    "sn": "claims-scripts.md",
    "002": "claims-002.md",
    "nalu": "claims-nalu.md",
    "npu": "claims-npu.md",
}
"""Source to the name of its page."""
TABLE_5_6 = "002-t5.6-"
SEED_BY_SEED = "seed-by-seed.md"
DIVISION = {"ranges": ALL, "mixed": (*MIXED, *PRINTED), "distributions": tuple(DISTRIBUTIONS)}
PARTS = {"division": DIVISION, "division-redundant": DIVISION}
"""Studies whose table is too wide for one page: name of a part to the labels of its cells."""
FULL = BUDGETS["full"]
SLOW = frozenset(("by-length", "formulas-learnt", "rules-learnt", "shortest-paths"))
"""Tables that look into thousands of networks, for minutes: `nalm show STUDY --page` writes those pages."""


def pages(folder: Path = FOLDER) -> Iterator[tuple[str, str]]:
    """Name and text of every page that can be computed from the record alone."""
    with tempfile.TemporaryDirectory() as nothing:
        store = Layered(nothing, shipped(folder))
        evidence = StoredEvidence(store)
        budgets = {part.directory.name: set(part.frame()["budget"]) for part in shipped(folder)}
        claimed = {place.study for claim in CLAIMS for place in claim.rule.places}
        for name, study in STUDIES.items():
            in_part = budgets.get(name, {FULL.name}) != {FULL.name}
            if in_part and "published" in dict(study.thresholds):
                if page := reduced_page(study, evidence):
                    yield f"{name}.md", page
            elif name in budgets:
                yield from _tables(study, store)
            elif name in claimed:
                yield f"{name}.md", f"The record has no run of it yet; `nalm run {name}` trains them all.\n"
        ledger = ledger_of(CLAIMS, evidence)
        beginnings = {**LEDGERS, TABLE_5_6: "table-5.6.md"}
        for beginning, page in beginnings.items():
            yield page, ledger_page({c: f for c, f in ledger.items() if c.id.startswith(beginning)})
        yield SEED_BY_SEED, seed_by_seed(TWO_LAYER, evidence)
        yield "verdicts.md", verdicts_by_source(ledger)
        for verdict in (Verdict.NOT_REPRODUCED, Verdict.UNDECIDED):
            yield f"{verdict.replace(' ', '-')}.md", listed(ledger, verdict)
    yield "published-means.md", means()
    yield "published-thresholds.md", thresholds()


def _tables(study: Study, store: Store) -> Iterator[tuple[str, str]]:
    """A study at the full budget: every cell as CSV, and what `nalm show --page` writes."""
    sizes = tuple(dict.fromkeys(cell.inputs for cell in study.cells))
    results = Results.read(study, FULL, store, Selection(inputs=sizes))
    frame = cell_table(results)
    if frame.empty:
        return
    yield f"{study.name}.csv", frame.to_csv(index=False, float_format=_five_digits)
    if SLOW.intersection(study.tables):
        return
    usual = _only(results, [cell for cell in results.curves if cell.inputs in study.usual_inputs])
    for part, labels in PARTS.get(study.name, {"": ()}).items():
        cells = [cell for cell in usual.curves if not labels or cell.label in labels]
        page = f"{study.name}-{part}.md" if part else f"{study.name}.md"
        chosen = _only(usual, cells)
        yield page, study_page(chosen, further_tables(chosen, store))


def _five_digits(number: object) -> str:
    """A number as the tables have it: further digits of fitted intervals differ from machine to machine."""
    return repr(float(f"{number:.5g}"))


def _only(results: Results, cells: list[Cell]) -> Results:
    return dataclasses.replace(results, curves={cell: results.curves[cell] for cell in cells})


def write_pages(output: Path, folder: Path = FOLDER) -> Iterator[Path]:
    """Write them, one after the other."""
    output.mkdir(parents=True, exist_ok=True)
    for name, text in pages(folder):
        path = output / name
        path.write_text(text, encoding="utf-8")
        yield path
