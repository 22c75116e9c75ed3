"""What a shell may complete: names and options of all commands, remembered so that a tab costs no import.

Commands import torch, which takes seconds. So the first completion writes what there is to the cache
directory, and later ones read it, until the package changes.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from typer.core import TyperCommand

from nalm.commands.remembered import package_files, remembered, state_of

KINDS = {"study": "study", "unit": "unit", "operation": "operation", "budget": "budget"}
"""Which parameters take names, by what they are called in the commands' functions."""


class Remembered(TyperCommand):
    """A command as it is remembered: it can be completed, and nothing else."""

    def __init__(self, name: str, options: dict[str, dict[str, str]], names: dict[str, list[str]]) -> None:
        settings = {"ignore_unknown_options": True, "allow_extra_args": True}
        super().__init__(name, params=[], add_help_option=False, context_settings=settings)
        self._options, self._names = options, names

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        words = [*ctx.args]
        found = self._candidates(words, incomplete)
        return [_item(name, text) for name, text in found.items() if name.startswith(incomplete)]

    def _candidates(self, words: list[str], incomplete: str) -> dict[str, str]:
        """What could come after these words, and what it means."""
        before = self._options["values"].get(words[-1]) if words else None
        if before is not None:
            return dict.fromkeys(self._names.get(before, ()), "")
        if incomplete.startswith("-"):
            return self._options["help"]
        kind = self._options["argument"].get("kind", "")
        return dict.fromkeys(self._names.get(kind, ()), "") if _positional(words, self._options) == 0 else {}


def _positional(words: list[str], options: dict[str, dict[str, str]]) -> int:
    """How many of the words are arguments, not options or their values."""
    before = ["", *words]
    return sum(
        not word.startswith("-") and previous not in options["values"]
        for previous, word in zip(before, words, strict=False)
    )


def _item(name: str, text: str) -> Any:
    try:
        completion = importlib.import_module("typer._click.shell_completion")
    except ImportError:  # typer before it had a copy of its own
        completion = importlib.import_module("click.shell_completion")
    return completion.CompletionItem(name, help=text)


def completed(name: str, load: Callable[[str], Any]) -> Remembered:
    """A command for completion; it is loaded when nothing is remembered of it."""

    def look() -> dict[str, Any]:
        options = _options(load(name))
        kinds = {*options["values"].values(), *options["argument"].values()} - {""}
        return {"options": options, "names": _names() if kinds else {}}

    known = remembered(f"completion-{name}", state_of(package_files()), look)
    return Remembered(name, known["options"], known["names"])


def _names() -> dict[str, list[str]]:
    from nalm.studies.catalogue import STUDIES
    from nalm.studies.study import BUDGETS
    from nalm.units import units

    labels = {cell.unit for study in STUDIES.values() for cell in study.cells}
    operations = {cell.operation for study in STUDIES.values() for cell in study.cells}
    return {
        "study": list(STUDIES),
        "unit": sorted(filter(_plain, labels | set(units()))),
        "operation": sorted(filter(_plain, operations)),
        "budget": list(BUDGETS),
    }


def _plain(name: str) -> bool:
    """Whether no shell needs quotes around it."""
    return not set(name) & set(" <>|&;()[]!='\"*?$`\\")


def _options(command: Any) -> dict[str, dict[str, str]]:
    """Of a command: what its options mean, which take a name of which kind, and its first argument's kind."""
    found: dict[str, dict[str, str]] = {"help": {}, "values": {}, "argument": {}}
    for parameter in command.params:
        kind = KINDS.get(parameter.name, "")
        if parameter.param_type_name == "argument":
            found["argument"].setdefault("kind", kind)
            continue
        for name in [*parameter.opts, *parameter.secondary_opts]:
            found["help"][name] = (parameter.help or "").split(". ")[0]
            if not parameter.is_flag:
                found["values"][name] = kind
    return found
