"""Every example runs as printed: doctests of all modules, and the Python blocks of the documentation."""

import contextlib
import doctest
import importlib
import importlib.util
import io
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import sympy
import torch

import nalm
from nalm.units import units

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PACKAGE = Path(nalm.__file__).parent
WITH_EXAMPLES = sorted(
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in PACKAGE.rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)
OPTIONAL = ("lightning", "transformers")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(text: str) -> Iterator[tuple[int, str, str | None]]:
    """Line, code and expected output of each Python block; a `text` block right after it is its output."""
    found = list(BLOCK.finditer(text))
    for block, after in itertools.zip_longest(found, found[1:]):
        if block[1] == "python":
            follows = (
                after is not None and after[1] == "text" and not text[block.end() : after.start()].strip()
            )
            yield text.count("\n", 0, block.start()) + 2, block[2], after[2] if follows else None


def absent(code: str) -> bool:
    """Whether a block imports one of the packages that not every environment has."""
    imported = re.findall(r"^(?:import|from) (\w+)", code, re.MULTILINE)
    return any(name in OPTIONAL and importlib.util.find_spec(name) is None for name in imported)


def run_page(text: str, name: str) -> None:
    """Execute the blocks of a page one after the other in one namespace; what cannot run must still parse."""
    namespace: dict[str, object] = {"__name__": "page"}
    for line, code, expected in blocks(text):
        compiled = compile("\n" * (line - 1) + code, name, "exec")
        if absent(code):
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compiled, namespace)
        if expected is not None:
            assert printed.getvalue() == expected, f"{name}, line {line}"


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_doctests(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        if "nalm[" not in str(error):  # the extra it needs
            raise
        pytest.skip(str(error))
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for test in finder.find(module, name, globs={**vars(module), "sympy": sympy, "torch": torch}):
        printed = io.StringIO()
        runner.run(test, out=printed.write)
        assert not printed.getvalue(), printed.getvalue()
    assert runner.tries


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page: Path) -> None:
    run_page(page.read_text(), str(page))


def test_the_reference_lists_every_unit() -> None:
    listed = set(re.findall(r"^::: nalm\.(\w+)$", (ROOT / "docs" / "units.md").read_text(), re.MULTILINE))
    assert set(units()) <= listed


def test_the_readme_names_every_unit() -> None:
    assert set(units()) <= set(re.findall(r"`(\w+)`", (ROOT / "README.md").read_text()))


def test_links_of_the_readme_exist() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text())
    assert links
    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []


def test_wrong_output_is_noticed() -> None:
    page = '```python\nprint("a")\n```\n\n```text\nb\n```\n'
    with pytest.raises(AssertionError, match="line 2"):
        run_page(page, "page")
    with pytest.raises(ZeroDivisionError):
        run_page("```python\n1 / 0\n```\n", "page")
