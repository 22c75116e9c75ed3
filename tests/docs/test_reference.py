"""Every public name has a place in the reference."""

import re
from pathlib import Path

import pytest

import nalm

DOCS = Path(__file__).parents[2] / "docs"
LISTED = [
    name
    for page in DOCS.rglob("*.md")
    for name in re.findall(r"^::: nalm\.(\w+)$", page.read_text(), re.MULTILINE)
]
PUBLIC = nalm.__all__


@pytest.mark.parametrize("name", PUBLIC)
def test_is_documented_once(name: str) -> None:
    assert LISTED.count(name) == 1, f"put `::: nalm.{name}` on one reference page"


def test_the_reference_names_nothing_else() -> None:
    assert set(LISTED) - set(PUBLIC) == set()
