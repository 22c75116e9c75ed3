"""What commands print, on terminals as they are."""

from __future__ import annotations

import codecs
import contextlib
import io
import json
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from rich.console import Console
from rich.markup import escape

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document, for scripts.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the result only.")]

WIDTH = 120
"""Columns of a table that is not printed to a terminal."""

PACKAGE = Path(__file__).parents[1]
NUMPY = "encountered in"
"""Part of numpy's warnings about single numbers, which the search for formulas meets all the time."""

SPELT_OUT = {
    "−": "-", "–": "-", "—": "-", "×": "x", "·": "*", "•": "*", "÷": "/", "≥": ">=", "≤": "<=", "→": "->",
    "…": "...", "²": "2", "³": "3", "σ": "sigma", "π": "pi", "ε": "eps", "√": "sqrt", "±": "+-", "°": " deg",
    "’": "'", "“": '"', "”": '"', "≈": "~", "∞": "inf", "Σ": "sum", "Π": "prod",
}  # fmt: skip
"""How characters are written where the terminal's encoding lacks them."""


def spell_out(error: UnicodeError) -> tuple[str, int]:
    """An encoding error handler: characters that cannot be written are spelt out, or become `?`.

    Example:
        >>> "a − b ≥ 日".encode("ascii", "nalm.spell_out").decode()
        'a - b >= ?'
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    known = error.encoding
    spelt = "".join(SPELT_OUT.get(character, "?") for character in text)
    return spelt.encode(known, "replace").decode(known), error.end


codecs.register_error("nalm.spell_out", spell_out)


def accept_any_encoding() -> None:
    """Let stdout and stderr spell out what their encoding lacks, instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="nalm.spell_out")


def wide_console() -> Console:
    """A console that does not squeeze tables when its output goes to a file, unless `$COLUMNS` says so."""
    console = Console(highlight=False)
    told = console.is_terminal or "COLUMNS" in os.environ
    return console if told else Console(highlight=False, width=WIDTH)


def error_line(message: str, kind: str = "error", colour: str = "red") -> None:
    """One line on stderr, however long the message and however narrow the terminal."""
    console = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)
    console.print(f"[{colour}]{kind}:[/] {escape(' '.join(message.split()))}")


def print_json(value: Any) -> None:
    """One JSON document on stdout, for scripts; numbers that are not finite become null."""
    print(json.dumps(finite(value), indent=2, ensure_ascii=False, default=str))


def finite(value: Any) -> Any:
    """The same value with NaN and infinities replaced, which JSON does not have.

    Example:
        >>> finite({"a": [1.0, float("nan")]})
        {'a': [1.0, None]}
    """
    if isinstance(value, dict):
        return {str(key): finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [finite(entry) for entry in value]
    if isinstance(value, float) and (value != value or abs(value) == float("inf")):
        return None
    return value


def rounded(number: float) -> str:
    """A large number in plain digits, two of them known.

    Example:
        >>> rounded(3.57e10), rounded(17.2)
        ('36,000,000,000', '17')
    """
    return f"{float(f'{number:.2g}'):,.0f}"


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    Example:
        >>> counted(1, "run"), counted(12000, "run"), counted(2, "study")
        ('1 run', '12,000 runs', '2 studies')
    """
    if number == 1:
        return f"1 {noun}"
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {plural}"


class Ended(KeyboardInterrupt):
    """A signal asked the process to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def exit_code(interrupt: KeyboardInterrupt) -> int:
    """What the shell is told: 128 and the number of the signal.

    Example:
        >>> exit_code(KeyboardInterrupt()), exit_code(Ended(15))
        (130, 143)
    """
    return 128 + (interrupt.number if isinstance(interrupt, Ended) else signal.SIGINT)


@contextlib.contextmanager
def ended_by_signals() -> Iterator[None]:
    """SIGTERM and SIGHUP interrupt as Ctrl-C does, so that workers end and files are closed.

    A signal that is ignored stays so: `nohup` means it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may ask for signals
        return

    def end(number: int, frame: object) -> None:
        raise Ended(number)

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    for number in numbers:
        if before[number] is not signal.SIG_IGN:
            signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def calm_warnings(*, everything: bool) -> Iterator[None]:
    """Print our own warnings as one line each, once; other libraries' only if everything is asked for.

    A warning's two lines with a path and code would break a progress bar, and say nothing to its reader.
    """
    said: set[str] = set()

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        ours = category is RuntimeWarning and Path(filename).is_relative_to(PACKAGE)
        if everything:
            error_line(f"{filename}:{lineno}: {category.__name__}: {message}", "warning", "yellow")
        elif ours and str(message) not in said and NUMPY not in str(message):
            said.add(str(message))
            error_line(str(message), "warning", "yellow")

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield
