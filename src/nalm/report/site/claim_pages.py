"""Every published claim with its verdict and evidence, and what is wrong in the published record."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Set
from importlib import resources
from typing import Any

from nalm.report.own_statistics import means, thresholds
from nalm.report.reviewer import SOURCES, listed, verdicts_by_source
from nalm.report.site.cell_columns import study_page
from nalm.report.site.folder import Folder
from nalm.report.site.markup import from_markdown
from nalm.studies.claims import Claim, Finding, Verdict, counts
from nalm.studies.earlier import earlier_verdicts
from nalm.studies.study import Study

INCLUDED = re.compile(r'^--8<-- "([\w-]+)\.md"$', re.MULTILINE)
"""How the text refers to computed tables; the documentation includes them by the same line."""
COMMAND = re.compile(r"<code>nalm claims ([\w.-]+)</code>")
TEXTS = ("published.md", "statistics.md")
COMPUTED: dict[str, Callable[[Mapping[Claim, Finding]], str]] = {
    "verdicts": verdicts_by_source,
    "not-reproduced": lambda ledger: listed(ledger, Verdict.NOT_REPRODUCED),
    "undecided": lambda ledger: listed(ledger, Verdict.UNDECIDED),
    "published-means": lambda ledger: means(),
    "published-thresholds": lambda ledger: thresholds(),
}
"""Tables that the text may include."""


def write_ledger(folder: Folder, ledger: Mapping[Claim, Finding], studies: Iterable[Study]) -> None:
    """The page of all claims, with counts and search, and links to their studies."""
    pages = {study.name: study_page(study) for study in studies}
    folder.page(
        "claims.html",
        "claims.html",
        ledger=ledger,
        counts=counts(ledger),
        sources=SOURCES,
        source_of={claim.id: claim.id.split("-")[0] for claim in ledger},
        before=earlier_verdicts(),
        pages=pages,
        studies_of={
            claim.id: [
                name for name in dict.fromkeys(place.study for place in claim.rule.places) if name in pages
            ]
            for claim in ledger
        },
    )


def write_published(folder: Folder, ledger: Mapping[Claim, Finding]) -> None:
    """Where the published record does not hold, and where it is wrong by itself."""
    known = {claim.id for claim in ledger}
    texts = [with_evidence(from_markdown(text), known) for text in parts(ledger)]
    folder.page("published.html", "published.html", parts=texts)


def with_evidence(html: Any, known: Set[str]) -> Any:
    """Every command that prints a claim becomes a link to its evidence.

    Example:
        >>> from markupsafe import Markup
        >>> with_evidence(Markup("<code>nalm claims 002-a</code>"), {"002-a"})
        Markup('<a href="claims.html#002-a"><code>nalm claims 002-a</code></a>')
    """

    def linked(found: re.Match[str]) -> str:
        return f'<a href="claims.html#{found[1]}">{found[0]}</a>' if found[1] in known else found[0]

    return type(html)(COMMAND.sub(linked, str(html)))


def parts(ledger: Mapping[Claim, Finding]) -> list[str]:
    """The text of the page, with its tables computed."""
    folder = resources.files("nalm.report.site")
    texts = [(folder / name).read_text(encoding="utf-8") for name in TEXTS]
    return [INCLUDED.sub(lambda found: COMPUTED[found[1]](ledger), text) for text in texts]
