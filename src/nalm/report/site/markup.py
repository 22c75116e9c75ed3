"""Markdown and formulas as HTML that a page may take as it is."""

from __future__ import annotations

import functools
import re
from typing import Any

import sympy
from markdown_it import MarkdownIt

from nalm.solving.export.latex import WORD, latex_name

REPLACEMENTS = {
    "<table>": '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table data-sortable>',
    "</table>": "</table></div>",
    ' style="text-align:right"': ' class="number"',
}
"""What pages do not allow, or do otherwise: the policy has no room for style inside of elements."""
REPLACED = re.compile("|".join(map(re.escape, REPLACEMENTS)))


@functools.cache
def _renderer() -> MarkdownIt:
    # Without HTML: a name in angle brackets stays text.
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def from_markdown(text: str) -> Any:
    """Markdown as HTML; markup inside it is text.

    Example:
        >>> from_markdown("a <b>c</b>")
        Markup('<p>a &lt;b&gt;c&lt;/b&gt;</p>\\n')
    """
    from markupsafe import Markup

    html = _renderer().render(text.replace("<br>", " · "))
    return Markup(REPLACED.sub(lambda found: REPLACEMENTS[found[0]], html))


def equation(expression: sympy.Expr, target: str) -> Any:
    """`target = expression` as MathML, whatever the columns are called.

    Names that are no mathematics are put in after the formula was set, as text.
    """
    from latex2mathml.converter import convert
    from markupsafe import Markup, escape

    names = sorted({target, *(symbol.name for symbol in expression.free_symbols)})
    strange = [name for name in names if not WORD.fullmatch(name)]
    # Letters only, and in none of the names: they come back from the conversion as they went in.
    stem = "Q"
    while any(stem in name for name in names):
        stem += "Q"
    places = {name: f"{stem}{'I' * (number + 1)}{stem}Z" for number, name in enumerate(strange)}
    symbols = {symbol: _latex_name(symbol.name, places) for symbol in expression.free_symbols}
    latex = f"{_latex_name(target, places)} = {sympy.latex(expression, symbol_names=symbols)}"
    drawn = convert(latex, display="block")
    for name, place in places.items():
        drawn = drawn.replace(place, str(escape(name)))
    return Markup(drawn)


def _latex_name(name: str, places: dict[str, str]) -> str:
    return rf"\text{{{places[name]}}}" if name in places else latex_name(name)
