"""Things of other packages, named `module:name`: importing one runs its module."""

from __future__ import annotations

import importlib
from typing import Any


def load(path: str) -> Any:
    """What a module calls `name`, given `module:name`.

    Example:
        >>> load("math:hypot")(3.0, 4.0)
        5.0
    """
    module, _, name = path.partition(":")
    try:
        imported = importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise ValueError(f"cannot import {path!r} ({error}): install it, or go to its directory") from error
    if not hasattr(imported, name):
        raise ValueError(f"the module {module!r} has nothing called {name!r}")
    return getattr(imported, name)
