"""Every published claim with its verdict and evidence, and what is wrong in the published record."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import resources

from nalm.report.own_statistics import means, thresholds
from nalm.report.reviewer import SOURCES, listed, verdicts_by_source
from nalm.report.site.folder import Folder
from nalm.report.site.markup import from_markdown
from nalm.studies.claims import Claim, Finding, Verdict, counts
from nalm.studies.earlier import earlier_verdicts

INCLUDED = re.compile(r'^--8<-- "([\w-]+)\.md"$', re.MULTILINE)
"""How the text refers to computed tables; the documentation includes them by the same line."""
TEXTS = ("published.md", "statistics.md")
COMPUTED: dict[str, Callable[[Mapping[Claim, Finding]], str]] = {
    "verdicts": verdicts_by_source,
    "not-reproduced": lambda ledger: listed(ledger, Verdict.NOT_REPRODUCED),
    "undecided": lambda ledger: listed(ledger, Verdict.UNDECIDED),
    "published-means": lambda ledger: means(),
    "published-thresholds": lambda ledger: thresholds(),
}
"""Tables that the text may include."""


def write_ledger(folder: Folder, ledger: Mapping[Claim, Finding]) -> None:
    """The page of all claims, with counts and search."""
    folder.page(
        "claims.html",
        "claims.html",
        ledger=ledger,
        counts=counts(ledger),
        sources=SOURCES,
        source_of={claim.id: claim.id.split("-")[0] for claim in ledger},
        before=earlier_verdicts(),
    )


def write_published(folder: Folder, ledger: Mapping[Claim, Finding]) -> None:
    """Where the published record does not hold, and where it is wrong by itself."""
    folder.page("published.html", "published.html", parts=[from_markdown(text) for text in parts(ledger)])


def parts(ledger: Mapping[Claim, Finding]) -> list[str]:
    """The text of the page, with its tables computed."""
    folder = resources.files("nalm.report.site")
    texts = [(folder / name).read_text(encoding="utf-8") for name in TEXTS]
    return [INCLUDED.sub(lambda found: COMPUTED[found[1]](ledger), text) for text in texts]
