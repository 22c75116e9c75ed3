"""Tables on narrow terminals."""

import io

import pytest
from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from nalm.commands.narrow import print_markdown, print_table
from nalm.commands.terminal import wide_console


def printed(width: int, spare: tuple[str, ...] = ()) -> list[str]:
    table = Table(box=SIMPLE_HEAD, title="a study")
    table.add_column("unit", no_wrap=True)
    table.add_column("what it asks")
    table.add_column("success", justify="right")
    table.add_column("solved at", justify="right")
    table.add_row(
        "Real NPU (modified)", "Who learns to extrapolate, and from where?", "0.94 [0.90, 0.97]", "–"
    )
    table.add_row("", "The same again", "1.00 [0.87, 1.00]", "3000")
    console = Console(file=io.StringIO(), width=width)
    print_table(console, table, spare)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    return text.splitlines()


@pytest.mark.parametrize("width", [40, 60, 80, 100])
@pytest.mark.parametrize("spare", [(), ("solved at",), ("solved at", "what it asks")])
def test_nothing_is_wider_than_the_terminal_or_cut(width: int, spare: tuple[str, ...]) -> None:
    lines = printed(width, spare)
    assert max(map(cell_len, lines)) <= width
    text = "\n".join(lines)
    assert "…" not in text
    for whole in ("Real NPU (modified)", "0.94 [0.90, 0.97]", "1.00 [0.87, 1.00]"):
        assert whole in text


def test_columns_are_spared_in_order_and_named() -> None:
    assert "No room" not in "\n".join(printed(100, ("solved at",)))
    text = " ".join(" ".join(printed(68, ("solved at", "what it asks"))).split())
    assert "No room for: solved at." in text
    assert "3000" not in text
    assert "extrapolate" in text


def test_blocks_have_every_column() -> None:
    lines = [line.strip() for line in printed(40, ("solved at",))]
    assert lines[:2] == ["a study", "Real NPU (modified)"]
    assert "solved at    3000" in lines
    assert sum(line.startswith("solved at") for line in lines) == 1  # an empty cell is not listed


def test_tables_in_markdown() -> None:
    text = "# Learnt\n\n| expression | seeds |\n|---|--:|\n| **a*b** `x**2` | 25 |\n\nof the record"
    for width in (20, 80):
        console = Console(file=io.StringIO(), width=width)
        print_markdown(console, text)
        shown = console.file.getvalue()  # type: ignore[attr-defined]
        for part in ("Learnt", "seeds", "a*b x**2", "25", "of the record"):
            assert part in shown
        assert "|" not in shown


def test_the_width_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert wide_console().width == 120
    monkeypatch.setenv("COLUMNS", "60")
    assert wide_console().width == 60
