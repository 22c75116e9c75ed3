"""The command line: `nalm units`, `nalm check`, … Each command lives in a module of `nalm.commands`."""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from typer.core import TyperGroup

from nalm import __version__

COMMANDS = {
    "units": "nalm.commands.units:units",
    "check": "nalm.commands.check:check",
    "studies": "nalm.commands.studies:studies",
    "run": "nalm.commands.run:run",
    "show": "nalm.commands.show:show",
    "plot": "nalm.commands.plot:plot",
    "claims": "nalm.commands.claims:claims",
    "bench": "nalm.commands.bench:bench",
    "fit": "nalm.commands.fit:fit",
}
"""Command name → `module:function`, in the order `nalm --help` lists them."""

MISTAKES = (ValueError, TypeError, LookupError, ImportError, OSError)
"""What our own functions raise, with a sentence that names the fix, when asked for the impossible."""


class LazyGroup(TyperGroup):
    """A group whose commands are imported when they are called, so that a quick one stays quick."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].partition(":")
        single = typer.Typer(add_completion=False)
        single.command(cmd_name)(friendly(getattr(importlib.import_module(module), attribute)))
        return typer.main.get_command(single)


def friendly(command: Callable[..., None]) -> Callable[..., None]:
    """Turn a mistake into one line on stderr and exit code 2; `nalm --traceback` shows where it arose."""

    @functools.wraps(command)
    def wrapper(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except MISTAKES as error:
            if _options["traceback"]:
                raise
            message = " ".join(str(error.args[0] if isinstance(error, KeyError) else error).split())
            # soft_wrap: one error is one line, however narrow the terminal.
            console = Console(stderr=True, highlight=False, soft_wrap=True)
            console.print(f"[red]error:[/] {escape(message or type(error).__name__)}")
            raise typer.Exit(2) from None

    return wrapper


_options = {"traceback": False}

app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"nalm {__version__}")
        raise typer.Exit


@app.callback()
def nalm(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    traceback: Annotated[
        bool, typer.Option("--traceback", help="Show where an error arose instead of one line.")
    ] = False,
) -> None:
    """Neural arithmetic logic modules: units that learn exact arithmetic, their benchmark, and a solver."""
    _options["traceback"] = traceback
    # A unit being written lives in the current directory, which an installed command does not search.
    sys.path.append(str(Path.cwd()))
