"""Links of the README work in a clone and, as the package index shows it, on the site."""

import re
import tomllib
from pathlib import Path

import pytest
from markdown.extensions.toc import slugify

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
HOOK = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["metadata"]["hooks"]
SITE = "https://nalm.readthedocs.io/en/latest/"
PAGES = {"changes": "CHANGELOG.md", "contributing": "CONTRIBUTING.md"}
"""Pages of the site that are files of the repository."""


def as_on_the_index() -> str:
    text = README
    for substitution in HOOK["fancy-pypi-readme"]["substitutions"]:
        text = re.sub(substitution["pattern"], substitution["replacement"], text)
    return text


def links(text: str) -> list[str]:
    return re.findall(r"\]\(([^)]+)\)", text)


def source(page: str) -> Path:
    """What a page of the site is made of."""
    if page.startswith("notebooks/"):
        return ROOT / "examples" / f"{page}.ipynb"
    if page.startswith("images/"):
        return ROOT / "docs" / page
    return ROOT / "docs" / f"{page or 'index'}.md"


@pytest.mark.parametrize("link", links(README))
def test_the_file_is_there(link: str) -> None:
    path, _, anchor = link.partition("#")
    assert "://" in link or (ROOT / path).exists()
    if anchor:
        headings = re.findall(r"^#+ (.*)$", (ROOT / path).read_text(), re.MULTILINE)
        assert anchor in [slugify(heading, "-") for heading in headings]


@pytest.mark.parametrize("link", links(as_on_the_index()))
def test_on_the_index_it_leads_to_a_page_of_the_site(link: str) -> None:
    assert link.startswith(SITE)
    page = link.removeprefix(SITE).partition("#")[0].removesuffix("/")
    assert source(page).exists()
    assert (ROOT / PAGES.get(page, "README.md")).exists()
