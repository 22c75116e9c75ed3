"""Names from outside stay text in Markdown and in formulas."""

from xml.etree import ElementTree

import pytest
import sympy

from nalm.report.site.markup import equation, from_markdown

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</math><script>",
    "a & b",
    "100 %",
    "\\text{x}",
    "Q",
    "QQ IQQZ",
    "naïve",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_an_equation_shows_any_name(name: str) -> None:
    drawn = equation(sympy.Symbol(name) ** 2 / sympy.Symbol("t_max"), name)
    tree = ElementTree.fromstring(drawn.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', ""))
    assert "".join(tree.itertext()).replace("\u00a0", " ").startswith(f"{name}=") or name in "".join(
        tree.itertext()
    )
    assert {element.tag for element in tree.iter()} <= {
        "math", "mrow", "mi", "mo", "mn", "mtext", "mfrac", "msup", "msub", "mstyle",
    }  # fmt: skip


def test_markdown_has_no_markup_of_its_own() -> None:
    drawn = from_markdown("| a | b |\n|---|--:|\n| <script>x</script> | 2 |\n")
    assert "<script>" not in drawn
    assert "style=" not in drawn  # which the pages' policy forbids
    assert '<td class="number">2</td>' in drawn
