"""A formula in LaTeX, with names that TeX would run."""

import re

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from nalm.solving.export.latex import ESCAPES, latex_name, to_latex

COMMANDS = set(re.findall(r"\\[a-zA-Z]+", "".join(ESCAPES.values()))) | {r"\textrm"}


def test_an_equation() -> None:
    assert to_latex(sympy.Symbol("alpha") / 2, "y_max") == r"y_{max} = \frac{\alpha}{2}"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (r"\input{/etc/passwd}", r"\textrm{\textbackslash{}input\{/etc/passwd\}}"),
        (r"\write18{ls}", r"\textrm{\textbackslash{}write18\{ls\}}"),
        ("^^5cinput", r"\textrm{\textasciicircum{}\textasciicircum{}5cinput}"),
        ("50 % off", r"\textrm{50 \% off}"),
        ("a\n\nb", r"\textrm{a  b}"),
        ("_x", r"\textrm{\_x}"),
        ("größe", r"\textrm{größe}"),
    ],
)
def test_awkward_names_are_text(name: str, text: str) -> None:
    assert latex_name(name) == text
    assert to_latex(sympy.Symbol(name) ** 2, name) == f"{text} = {text}^{{2}}"


@given(st.text(max_size=30))
def test_no_name_brings_commands_of_its_own(name: str) -> None:
    text = latex_name(name)
    if text.startswith(r"\textrm"):
        assert set(re.findall(r"\\[a-zA-Z]+", text)) <= COMMANDS
        inside = re.sub(r"\\[{}]", "", text)
        assert inside.count("{") == inside.count("}")
        assert not re.search(r"(?<!\\)[$&#%_^~]", inside)
    else:
        assert text.isascii()
