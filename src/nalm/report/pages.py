"""The pages of results, computed from the record: a table per study, and the ledger of every source."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from nalm.record.layered import FOLDER, Layered, shipped
from nalm.report.evidence import StoredEvidence
from nalm.report.ledger import ledger_page
from nalm.report.own_statistics import means, thresholds
from nalm.report.reviewer import listed, verdicts_by_source
from nalm.report.seed_by_seed import seed_by_seed
from nalm.report.tables import Results, cell_table
from nalm.studies.catalogue import STUDIES
from nalm.studies.claims import Verdict, ledger_of
from nalm.studies.ledger import CLAIMS
from nalm.studies.study import BUDGETS, Selection
from nalm.studies.two_layer import TWO_LAYER

LEDGERS = {"001": "claims-001.md", "sn": "claims-scripts.md", "002": "claims-002.md"}
"""Source to the name of its page."""
SEED_BY_SEED = "seed-by-seed.md"


def pages(folder: Path = FOLDER) -> Iterator[tuple[str, str]]:
    """Name and text of every page that can be computed from the record alone."""
    with tempfile.TemporaryDirectory() as nothing:
        store = Layered(nothing, shipped(folder))
        for part in shipped(folder):
            study = STUDIES[part.directory.name]
            sizes = tuple(dict.fromkeys(cell.inputs for cell in study.cells))
            frame = cell_table(Results.read(study, BUDGETS["full"], store, Selection(inputs=sizes)))
            if not frame.empty:
                yield f"{study.name}.csv", frame.to_csv(index=False)
        evidence = StoredEvidence(store)
        ledger = ledger_of(CLAIMS, evidence)
        for source, name in LEDGERS.items():
            part_of = {c: f for c, f in ledger.items() if c.id.startswith(f"{source}-")}
            yield name, ledger_page(part_of)
        yield SEED_BY_SEED, seed_by_seed(TWO_LAYER, evidence)
        yield "verdicts.md", verdicts_by_source(ledger)
        for verdict in (Verdict.NOT_REPRODUCED, Verdict.UNDECIDED):
            yield f"{verdict.replace(' ', '-')}.md", listed(ledger, verdict)
    yield "published-means.md", means()
    yield "published-thresholds.md", thresholds()


def write_pages(output: Path, folder: Path = FOLDER) -> Iterator[Path]:
    """Write them, one after the other."""
    output.mkdir(parents=True, exist_ok=True)
    for name, text in pages(folder):
        path = output / name
        path.write_text(text, encoding="utf-8")
        yield path
