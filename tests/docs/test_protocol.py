"""Every difference that is cited is told on `docs/protocol.md`, and every mention on the site links to it."""

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import markdown
import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text()
SECTIONS = {
    int(number): text
    for number, text in re.findall(r"^### D(\d+): (.*?)(?=^###? |\Z)", PAGE, re.MULTILINE | re.DOTALL)
}
CITED = {
    int(number)
    for folder, pattern in (("src", "*.py"), ("tests", "*.py"), ("docs", "*.md"), ("results", "*.md"))
    for path in (ROOT / folder).rglob(pattern)
    if path.name not in ("protocol.md", Path(__file__).name)
    for number in re.findall(r"\bD([1-9][0-9]?)\b", path.read_text())
}
NOT_STUDIED = "among the studies|is a study|It acts"
"""How an entry that nothing cites says that no code depends on it."""


@pytest.fixture
def html(extension: Callable[[str], ModuleType]) -> str:
    text = "# D1\n\nSee D7 (D12, D29), `D8`, [D9](x.md), D99, D0, 3D5 and XD4.\n\n| a |\n|---|\n| D20 |\n"
    return markdown.markdown(text, extensions=["tables", extension("protocol").ProtocolLinks()])


def test_no_number_is_missing_and_each_has_its_anchor() -> None:
    headings = re.findall(r"^### D(\d+): .* \{ #d(\d+) \}$", PAGE, re.MULTILINE)
    assert all(number == anchor for number, anchor in headings)
    assert sorted(int(number) for number, _ in headings) == list(range(1, len(SECTIONS) + 1))
    assert f"D1 to D{len(SECTIONS)}" in PAGE


def test_every_number_that_is_cited_has_an_entry() -> None:
    assert len(CITED) > 20
    assert set(SECTIONS) >= CITED


def test_every_entry_is_cited_or_says_that_nothing_depends_on_it() -> None:
    uncited = {number: text for number, text in SECTIONS.items() if number not in CITED}
    assert [number for number, text in uncited.items() if not re.search(NOT_STUDIED, text, re.I)] == []


@pytest.mark.parametrize("number", SECTIONS)
def test_an_entry_says_what_is_printed_coded_and_done_here(number: int) -> None:
    assert re.findall(r"^- \*\*(\w+):\*\*", SECTIONS[number], re.MULTILINE) == ["Printed", "Code", "Here"]


@pytest.mark.parametrize("number", [7, 12, 29, 20])
def test_mentions_become_references(html: str, number: int) -> None:
    assert f'<autoref identifier="d{number}">D{number}</autoref>' in html


def test_headings_code_links_and_other_words_stay(html: str) -> None:
    assert html.count("<autoref") == 4
    assert all(
        part in html for part in ("<h1>D1</h1>", "<code>D8</code>", '<a href="x.md">D9</a>', "3D5 and XD4")
    )
