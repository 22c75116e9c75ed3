"""What two processes must agree in, so that a run's numbers are the same in both.

Nothing of this package is imported here before it is asked for: `about` is sent to workers as code, because
they may lack the package, or have another version of it.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import inspect
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path

ROOMS = ("compiler", "units", "networks", "tasks", "training")
"""The parts of the package that decide what a run's numbers are."""
UNUSABLE = "not usable"


def about(paths: Sequence[str] = ()) -> dict[str, str]:
    """What this process computes with; also the files that define each `module:name`.

    Example:
        >>> sorted(about())
        ['C compiler', 'CPU capability', 'nalm', "nalm's code", 'protocol', 'torch']
    """
    # Not the module's own functions: where this is sent to, there is no module.
    from importlib import import_module

    try:
        return dict(import_module("nalm.training.handshake").facts(paths))
    except Exception as error:
        return {"nalm": f"not usable: {type(error).__name__}: {error}"}


def facts(paths: Iterable[str]) -> dict[str, str]:
    """What `about` tells where the package is."""
    import torch

    from nalm.training.identity import PROTOCOL

    return {
        "nalm": version("nalm"),
        "nalm's code": _code(Path(__file__).parents[1]),
        "protocol": str(PROTOCOL),
        "torch": str(torch.__version__),
        "CPU capability": torch.backends.cpu.get_cpu_capability(),
        "C compiler": compilable(),
    } | {path: _source(path) for path in paths}


def compilable() -> str:
    """Whether what is trained is compiled here, which changes its rounding."""
    from nalm.compiler import compiler

    return "no" if compiler() is None else "yes"


def _code(package: Path) -> str:
    """A hash of the files that decide what is computed."""
    found = hashlib.sha256()
    for path in sorted(path for room in ROOMS for path in (package / room).rglob("*.[ph]*")):
        if path.suffix in (".py", ".h"):
            found.update(path.relative_to(package).as_posix().encode() + b"\0")
            found.update(path.read_bytes())
    return found.hexdigest()[:12]


@functools.cache
def _source(path: str) -> str:
    """The hash of the file that defines a `module:name`, as it was when first asked, or why there is none.

    When the file has changed since, what is in memory has not.
    """
    module, _, name = path.partition(":")
    try:
        thing = importlib.import_module(module)
        for part in name.split("."):
            thing = getattr(thing, part)
        return hashlib.sha256(Path(inspect.getfile(thing)).read_bytes()).hexdigest()[:12]
    except Exception as error:  # whatever a module of the user's does when it is imported
        return f"{UNUSABLE}: {type(error).__name__}: {error}"


def differences(ours: dict[str, str], theirs: dict[str, str]) -> str:
    """What a worker differs in, in words; empty if in nothing.

    Example:
        >>> differences({"nalm": "0.1.0", "torch": "2.9"}, {"nalm": "0.1.0", "torch": "2.13"})
        'torch: 2.13, here 2.9'
    """
    if theirs["nalm"].startswith(UNUSABLE):
        return f"nalm is {theirs['nalm']}"
    differ = {name: value for name, value in ours.items() if theirs.get(name) != value}
    text = "; ".join(f"{name}: {theirs.get(name, 'unknown')}, here {value}" for name, value in differ.items())
    files = [name for name in differ if ":" in name]
    if any(theirs.get(name, "").startswith(UNUSABLE) for name in files):
        text += "; install what it needs on the workers, or put it on their PYTHONPATH"
    elif files:
        text += "; restart the worker, which has another version in memory"
    return text
