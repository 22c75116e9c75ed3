"""Names that were meant, where an unknown one was given."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

FEW = 3
"""So many names are offered; a line that lists all of them is not read."""


def closest(name: str, known: Iterable[str], command: str) -> str:
    """The few names nearest to one that is unknown, and the command that lists all.

    Example:
        >>> closest("NMUU", ["NAU", "NMU", "sNMU", "Linear"], "nalm units")
        "did you mean 'NMU' or 'sNMU'? `nalm units` lists all 4"
        >>> closest("x", ["NAU", "NMU"], "nalm units")
        '`nalm units` lists all 2'
    """
    by_fold = {word.casefold(): word for word in known}
    near = [repr(by_fold[word]) for word in difflib.get_close_matches(name.casefold(), by_fold, n=FEW)]
    listed = f"`{command}` lists all {len(by_fold)}"
    if not near:
        return listed
    *first, last = near
    return f"did you mean {', '.join(first)}{' or ' if first else ''}{last}? {listed}"
