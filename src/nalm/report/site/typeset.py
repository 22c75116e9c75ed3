"""Typeset the formulas of docstrings: plain text in the source, MathML on pages, without scripts or fonts.

A docstring has its formulas in indented paragraphs, such as `y_o = Σ_i W[o, i]·x_i`. They are translated to
TeX and by latex2mathml to MathML, which browsers draw themselves. What is no formula stays as it is.
"""

from __future__ import annotations

import re
import unicodedata

from latex2mathml.converter import convert

BLOCK = re.compile(r"(?<=\n\n)(?:    +(?!>>>)\S.*(?:\n|\Z))+")
"""An indented paragraph after an empty line: examples begin with a prompt, arguments follow their title."""
EQUATION = re.compile(r"[ΣΠ]|^ *\S(?:(?!  ).){0,30} = ")
"""What tells a formula from a table: a sum, a product, or an equation at the beginning."""
REMARK = re.compile(r" {4,}|(?<=:) {2,}")
"""What stands between a formula and words beside it."""
TOKEN = re.compile(
    r"(?P<space> +)|(?P<identifier>[a-z]{3,}_[a-z]{2,})|(?P<name>[^\W\d_½¼¾][\u0302\u0304]?[A-Za-z]*'?)"
    r"|(?P<number>\d[\d,.]*\d|\d)|(?P<sign>.)"
)
FRACTION = re.compile(r"\(([^()]*)\) / \(([^()]*)\)")
FUNCTIONS = {"exp", "ln", "tanh", "cos", "sin", "log", "min", "max"}
OPERATORS = {"sign", "softmax", "mean", "sd"}
WORDS = {
    "and", "as", "else", "evaluation", "for", "gradient", "hot", "if", "in", "its", "of", "one", "outputs",
    "over", "same", "the", "training", "with",
}  # fmt: skip
SIGNS = {
    "Σ": r"\sum", "Π": r"\prod", "·": r"\cdot ", "−": "-", "±": r"\pm ", "≤": r"\le ", "≥": r"\ge ",
    "<": r"\lt ", ">": r"\gt ", "∞": r"\infty ", "…": r"\dots ", "½": r"\tfrac{1}{2}", "¼": r"\tfrac{1}{4}",
    "¾": r"\tfrac{3}{4}", "~": r"\sim ", "∈": r"\in ", "≈": r"\approx ", "≠": r"\ne ", "×": r"\times ",
    "→": r"\to ", "⊙": r"\odot ", "∘": r"\circ ",
}  # fmt: skip
GREEK = {letter: "\\" + unicodedata.name(letter).split()[-1].lower() + " " for letter in "βγηθμπστω"}
GREEK |= {"Φ": r"\Phi ", "Δ": r"\Delta ", "λ": r"\lambda ", "ε": r"\varepsilon ", "φ": r"\varphi "}
ACCENTS = {"\u0302": "hat", "\u0304": "bar"}
RAISED = {c: unicodedata.normalize("NFKD", c) for c in "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ᴬᴹᵀ±"}
LOWERED = {c: unicodedata.normalize("NFKD", c) for c in "₀₁₂₃₄₅₆₇₈₉ᵢ"}


class NotAFormulaError(ValueError):
    """The text has something that formulas have not."""


def tex(formula: str) -> str:
    """A line of plain text as TeX."""
    parts = [part for part in REMARK.split(formula.strip()) if part]
    return r" \qquad ".join(rf"\text{{{part}}}" if _is_remark(part) else _tex(part) for part in parts)


def _is_remark(part: str) -> bool:
    return not re.search(r"[=ΣΠ·^\[|±]", part)


def _tex(text: str) -> str:
    text = unicodedata.normalize("NFD", text)
    fraction = FRACTION.search(text)
    if fraction:
        above, below = _tex(fraction[1]), _tex(fraction[2])
        return rf"{_tex(text[: fraction.start()])}\frac{{{above}}}{{{below}}}{_tex(text[fraction.end() :])}"
    found: list[str] = []
    position = 0
    while position < len(text):
        part, position = _next(text, position)
        found.append(part)
    return "".join(found)


def _next(text: str, position: int) -> tuple[str, int]:
    """The TeX of what begins at a position, with its indices and powers, and where the rest begins."""
    token = TOKEN.match(text, position)
    assert token is not None
    end = token.end()
    if token["space"]:
        return (r"\quad " if len(token["space"]) > 1 else " "), end
    if token["number"]:
        return _raised(token["number"].replace(",", "{,}"), text, end)
    if token["identifier"]:
        return rf"\text{{{token['identifier']}}}", end
    if token["name"]:
        return _named(token["name"], text, end)
    if token["sign"] == "√":
        part, end = _next(text, end)
        return rf"\sqrt{{{part}}}", end
    if token["sign"] == "^":
        return _power(text, end)
    if token["sign"] in ")|]":
        base, end = _raised(token["sign"], text, end)
        below, end = _subscript(text, end)
        return base + (f"_{{{below}}}" if below else ""), end
    if token["sign"] in SIGNS:
        return SIGNS[token["sign"]], end
    if token["sign"] in "=+-/(,[.;:":
        return token["sign"], end
    raise NotAFormulaError(f"{token['sign']!r} in {text!r}")


def _named(name: str, text: str, end: int) -> tuple[str, int]:
    if name in WORDS:
        return rf"\ \text{{{name}}}\ ", end
    letters = "".join(c for c in name if c not in ACCENTS and c != "'")
    accent = next((ACCENTS[c] for c in name if c in ACCENTS), None)
    if letters in SIGNS or letters in GREEK:
        base = SIGNS.get(letters) or GREEK[letters]
    elif letters in FUNCTIONS:
        base = "\\" + letters + " "
    elif len(letters) == 1:
        base = letters
    else:
        base = rf"\operatorname{{{letters}}}" if letters in OPERATORS else rf"\mathrm{{{letters}}}"
    base = rf"\{accent}{{{base}}}" if accent else base
    base += "'" * name.count("'")
    below, end = _subscript(text, end)
    base, end = _raised(base, text, end)
    if not below:
        below, end = _subscript(text, end)
    index = re.compile(r"\[([\w, :−]+)\]").match(text, end)
    if index and letters not in SIGNS:
        # A name that has both, as W_re[o, i], carries the first above.
        above, below, end = below, index[1].replace(" ", r"\,"), index.end()
        base += f"^{{{above}}}" if above else ""
    return base + (f"_{{{below}}}" if below else ""), end


def _subscript(text: str, end: int) -> tuple[str, int]:
    lowered = re.compile(f"[{''.join(LOWERED)}]+").match(text, end)
    if lowered:
        return "".join(LOWERED[c] for c in lowered[0]), lowered.end()
    below = re.compile(r"_(?:\{([^}]*)\}|([A-Za-zα-ω0-9]+))(\[)?").match(text, end)
    if below is None:
        return "", end
    if below[2] and (len(below[2]) > 2 or below[3]):  # a word, unlike the indices of x_oi
        return rf"\mathrm{{{below[2]}}}", below.end(2)
    return _tex(below[1] or " ".join(below[2])), below.end() - bool(below[3])


def _raised(base: str, text: str, end: int) -> tuple[str, int]:
    above = re.compile(f"[{''.join(RAISED)}]+").match(text, end)
    if above is None:
        return base, end
    return base + "^{" + "".join(RAISED[c] for c in above[0]).replace("−", "-") + "}", above.end()


def _power(text: str, end: int) -> tuple[str, int]:
    """What follows a ^: a group in parentheses, which it replaces, or a signed name or number."""
    if text[end] == "(":
        depth, last = 1, end + 1
        while depth:
            depth += {"(": 1, ")": -1}.get(text[last], 0)
            last += 1
        return f"^{{{_tex(text[end + 1 : last - 1])}}}", last
    found = ""
    while end < len(text) and (text[end].isalnum() or text[end] == "−"):
        part, end = _next(text, end)
        found += part
    return f"^{{{found}}}", end


def mathml(block: str) -> str | None:
    """An indented paragraph as MathML, one line each, or `None` if it is no formula."""
    lines = block.strip().splitlines()
    if not EQUATION.search(block):
        return None
    try:
        drawn = "".join(convert(tex(line), display="block") for line in lines)
    except (NotAFormulaError, IndexError):  # the latter where parentheses do not match
        return None
    return f'<div class="formula">{drawn}</div>\n'


def typeset(docstring: str) -> list[str]:
    """The formulas of a docstring, as MathML."""
    return [drawn for block in BLOCK.findall(docstring) if (drawn := mathml(block)) is not None]
