"""What a command has computed from files that have not changed since, kept in the user's cache as JSON.

Importing torch takes seconds, judging the whole record more. What came of it is remembered under a name made
of the state of all files it depends on, so that it is never out of date.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parents[1]
KEPT = 8
"""How many states of one kind are remembered, such as of different stores; older ones are forgotten."""


def package_files() -> list[Path]:
    """All that the package consists of: code, published numbers, shipped runs."""
    return [path for path in PACKAGE.rglob("*.*") if path.parent.name != "__pycache__"]


def state_of(files: Iterable[Path], *further: str) -> str:
    """A hash of which files there are and when each was written, and of further text."""
    parts = list(further)
    for path in sorted(files):
        with contextlib.suppress(OSError):  # it has gone since it was listed
            status = path.stat()
            parts.append(f"{path}:{status.st_size}:{status.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def remembered(name: str, state: str, compute: Callable[[], Any]) -> Any:
    """What was computed in this state, or is now; as JSON gives it back, lists for tuples."""
    path = _file(name, state)
    found = recall(name, state)
    if found is None:
        text = json.dumps(compute(), ensure_ascii=False, default=str)
        found = json.loads(text)
        with contextlib.suppress(OSError):  # then the next command takes as long
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            temporary = path.with_suffix(f".{os.getpid()}")
            temporary.write_text(text, encoding="utf-8")
            temporary.replace(path)
            for old in _by_age(path.parent.glob(f"{name}-*.json"))[KEPT:]:
                old.unlink(missing_ok=True)
    return found


def recall(name: str, state: str) -> Any:
    """What is remembered of this state; `None` if nothing is."""
    try:
        return json.loads(_file(name, state).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _file(name: str, state: str) -> Path:
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return root / "nalm" / f"{name}-{state}.json"


def _by_age(paths: Iterable[Path]) -> list[Path]:
    """The newest first."""
    ages = []
    for path in paths:
        with contextlib.suppress(OSError):
            ages.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(ages, reverse=True)]
