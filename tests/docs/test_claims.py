"""Every claim on a page of results can be linked to."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import markdown
import pytest

RESULTS = Path(__file__).parents[2] / "results"


@pytest.mark.parametrize("source", ["001", "002"])
def test_claims_have_anchors(extension: Callable[[str], ModuleType], source: str) -> None:
    text = (RESULTS / f"claims-{source}.md").read_text()
    html = extension("claims").on_page_content(markdown.markdown(text, extensions=["tables"]))
    claimed = int(text.split(" claims")[0])
    assert html.count('<a class="claim"') == claimed
    first = text.split("`")[1]
    assert f'<a class="claim" id="{first}" href="#{first}"><code>{first}</code></a>' in html
