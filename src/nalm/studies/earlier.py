"""Verdicts under the rules of before, which asked for less; they stay on the page beside the new ones.

Then two rates agreed if their 95 % intervals shared a value, "better" was shown by intervals apart, and "not
worse" by intervals not apart. `data/earlier_verdicts.csv` has the verdicts as they stood when the rules
changed.
"""

from __future__ import annotations

import csv
import functools
from importlib import resources

OTHER_NAMES = {
    "002-s5.4-clipping-mixed": "002-s5.4-clipping-mixed-flat",
    "002-s5.4-l1-counts": "002-s5.4-l1-counts-flat",
    "002-g3-l2-counts": "002-g3-l2-counts-flat",
}
"""Claims that were counted once per threshold: what the one that counts was called."""


@functools.cache
def earlier_verdicts() -> dict[str, str]:
    """Claim to its earlier verdict, for those that were decided.

    Example:
        >>> earlier_verdicts()["002-t7.4-gated"]
        'reproduced'
    """
    with (resources.files("nalm.studies") / "data" / "earlier_verdicts.csv").open(encoding="utf-8") as file:
        verdicts = {row["claim"]: row["verdict"] for row in csv.DictReader(file)}
    return verdicts | {new: verdicts[old] for new, old in OTHER_NAMES.items()}
