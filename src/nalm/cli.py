"""The command line: `nalm units`, `nalm check`, … Each command lives in a module of `nalm.commands`.

Nothing here imports more than typer: `nalm --help` reads the first lines of the commands' files without
running them, and a command is imported when it is called.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
import importlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from nalm import __version__

COMMANDS = {
    "units": "nalm.commands.units:units",
    "check": "nalm.commands.check:check",
    "studies": "nalm.commands.studies:studies",
    "run": "nalm.commands.run:run",
    "plan": "nalm.commands.plan:plan",
    "show": "nalm.commands.show:show",
    "plot": "nalm.commands.plot:plot",
    "claims": "nalm.commands.claims:claims",
    "bench": "nalm.commands.bench:bench",
    "record": "nalm.commands.record:record",
    "report": "nalm.commands.report:report",
    "fit": "nalm.commands.fit:fit",
    "calc": "nalm.commands.calc:calc",
    "data": "nalm.commands.data:data",
}
"""Command name → `module:function`, in the order `nalm --help` lists them."""
SIGNED = frozenset(["calc"])
"""Commands whose argument may begin with a minus sign, which is no option then."""

MISTAKES = (ValueError, TypeError, LookupError, ImportError, OSError)
"""What our own functions raise, with a sentence that names the fix, when asked for the impossible."""


class LazyGroup(TyperGroup):
    """A group whose commands are imported when they are called, so that a quick one stays quick."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        for name in COMMANDS:
            self.add_command(TyperCommand(name, help=summary(name)))

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, known, rest = super().resolve_command(ctx, args)
        if not (name and known):
            return name, known, rest
        if "_NALM_COMPLETE" in os.environ:  # a shell asks what could come next
            from nalm.commands.completion import completed

            return name, completed(name, load), rest
        return name, load(name), rest


def summary(name: str) -> str:
    """The first paragraph of a command's docstring, read from its file.

    Example:
        >>> summary("studies")
        'List all studies: what they ask, where they were published, how many runs they have.'
    """
    module, _, attribute = COMMANDS[name].partition(":")
    path = Path(__file__).parent.joinpath(*module.split(".")[1:]).with_suffix(".py")
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.FunctionDef) and node.name == attribute:
            return (ast.get_docstring(node) or "").split("\n\n")[0]
    raise LookupError(f"{path} has no function {attribute}")


def load(name: str) -> Any:
    """Import a command."""
    module, _, attribute = COMMANDS[name].partition(":")
    single = typer.Typer(add_completion=False)
    # What is imported stays to the end; looking through torch for garbage would take half a second.
    gc.disable()
    try:
        settings = {"ignore_unknown_options": name in SIGNED}
        command = friendly(getattr(importlib.import_module(module), attribute))
        single.command(name, context_settings=settings)(command)
    finally:
        gc.freeze()
        gc.enable()
    return typer.main.get_command(single)


def friendly(command: Callable[..., None]) -> Callable[..., None]:
    """Turn a mistake into one line on stderr and exit code 2; `nalm --traceback` shows where it arose.

    Interrupted, by Ctrl-C or a signal that asks it to end, it says so, with the shell's exit code for it.
    """

    @functools.wraps(command)
    def wrapper(*args: Any, **kwargs: Any) -> None:
        from nalm.commands.terminal import calm_warnings, ended_by_signals, error_line, exit_code

        try:
            with ended_by_signals(), calm_warnings(everything=_options["traceback"]):
                command(*args, **kwargs)
        except KeyboardInterrupt as interrupt:
            error_line("interrupted")
            raise typer.Exit(exit_code(interrupt)) from None
        except BrokenPipeError:  # whoever reads has seen enough, such as `head`
            leave_quietly()
        except MISTAKES as error:
            if _options["traceback"]:
                raise
            message = str(error.args[0] if isinstance(error, KeyError) and error.args else error)
            if isinstance(error, OSError) and error.strerror and error.filename:
                message = f"{error.filename}: {error.strerror}"  # without its number
            error_line(message or type(error).__name__)
            raise typer.Exit(2) from None

    return wrapper


def leave_quietly() -> None:
    """End without a word: nobody reads standard output any more, and flushing it would fail again."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise typer.Exit(128 + getattr(signal, "SIGPIPE", 13))


_options = {"traceback": False}

app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
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
    from nalm.commands.terminal import accept_any_encoding

    _options["traceback"] = traceback
    accept_any_encoding()
    # A unit being written lives in the current directory, which an installed command does not search.
    sys.path.append(str(Path.cwd()))
