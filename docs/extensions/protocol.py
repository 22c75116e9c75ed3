"""Link every mention of a difference such as D7, on pages and in docstrings, to its entry."""

import re
import xml.etree.ElementTree as etree
from pathlib import Path

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from mkdocs.config.defaults import MkDocsConfig

MENTION = r"\bD([1-9][0-9]?)\b"
PAGE = Path(__file__).parents[1] / "protocol.md"
ENTRIES = set(re.findall(r"^### D(\d+): ", PAGE.read_text(), re.MULTILINE))
BELOW_CODE = 60
"""Priority among Python-Markdown's inline patterns: code spans (190) and links (160) are taken out first."""


class Mention(InlineProcessor):
    """A reference that mkdocs-autorefs resolves, wherever the entry's heading is."""

    ANCESTOR_EXCLUDES = ("a", "autoref", "code", "h1", "h2", "h3", "h4", "h5", "h6")

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[etree.Element | None, int | None, int | None]:
        if m[1] not in ENTRIES:
            return None, None, None
        link = etree.Element("autoref", {"identifier": f"d{m[1]}"})
        link.text = m[0]
        return link, m.start(), m.end()


class ProtocolLinks(Extension):
    def extendMarkdown(self, md: Markdown) -> None:
        md.inlinePatterns.register(Mention(MENTION, md), "protocol", BELOW_CODE)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Mkdocs calls this; docstrings are rendered with the same extensions as pages."""
    config.markdown_extensions.append(ProtocolLinks())  # type: ignore[arg-type]
    return config
