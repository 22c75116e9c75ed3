"""Where claims on division look: the ranges and datasets, and rules about one unit on several of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from nalm.studies.claims import Claim, DecidedBy, Place
from nalm.studies.comparison import PublishedRate
from nalm.studies.rules import Every, NotBeaten, Rate, full, none
from nalm.tasks.arithmetic import RANGES
from nalm.tasks.division import DISTRIBUTIONS, MIXED_SIGNS

ALL = tuple(RANGES)
NEGATIVE = ("[-20, -10)", "[-2, -1)", "[-1.2, -1.1)", "[-0.2, -0.1)")
POSITIVE = ("[0.1, 0.2)", "[1, 2)", "[1.1, 1.2)", "[10, 20)")
WIDE = tuple(label for label in ALL if label not in ("[-1.2, -1.1)", "[1.1, 1.2)"))
NORMALS = tuple(label for label in DISTRIBUTIONS if label.startswith("TN"))
LARGE = ("U[-100, 100)", "U[-50, 50)")
MIXED = tuple(f"mixed signs {dataset}" for dataset in MIXED_SIGNS)
PRINTED = tuple(f"{label}, as printed" for label in MIXED)
MODIFIED = "Real NPU (modified)"


def at(unit: str, label: str, study: str = "division") -> Place:
    return Place(study, unit, "div", label)


def places(unit: str, labels: Iterable[str], study: str = "division") -> tuple[Place, ...]:
    return tuple(at(unit, label, study) for label in labels)


def always(unit: str, labels: Iterable[str], study: str = "division") -> Every:
    return Every(tuple(full(place, threshold="flat") for place in places(unit, labels, study)))


def never(unit: str, labels: Iterable[str], study: str = "division") -> Every:
    return Every(tuple(none(place, threshold="flat") for place in places(unit, labels, study)))


def share(unit: str, label: str, value: float, study: str = "division", threshold: str = "flat") -> Rate:
    return Rate(at(unit, label, study), PublishedRate(value, "=", "text", threshold, 25))


def by_threshold(
    identifier: str, statement: str, source: str, rule: Callable[[str], DecidedBy]
) -> tuple[Claim, ...]:
    """A claim twice, as its source does not say by which threshold it was judged (D20)."""
    return tuple(
        Claim(f"{identifier}-{name}", f"{statement} ({name} threshold).", f"{source} (D20)", rule(name))
        for name in ("flat", "adaptive")
    )


def every(rate: float) -> bool:
    return rate == 1


def some(rate: float) -> bool:
    return rate > 0


def pairs(
    study: str, first: str, second: str, labels: Iterable[str] = ALL
) -> tuple[tuple[Place, Place], ...]:
    return tuple(zip(places(first, labels, study), places(second, labels, study), strict=True))


def not_beaten(study: str, first: str, second: str, labels: Iterable[str] = ALL) -> NotBeaten:
    return NotBeaten(pairs(study, first, second, labels))


def alike(study: str, first: str, second: str) -> Every:
    """On no range does either beat the other."""
    return Every((not_beaten(study, first, second), not_beaten(study, second, first)))
