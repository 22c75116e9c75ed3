"""Where claims on division look: the ranges and datasets, and rules about one unit on several of them."""

from __future__ import annotations

from collections.abc import Iterable

from nalm.studies.claims import Place
from nalm.studies.published_rate import PublishedRate
from nalm.studies.rules import Beats, Best, Every, NotBetter, SameCurve, SameRate, full, none, not_always
from nalm.studies.rules.direction import Measure
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


def share(unit: str, label: str, value: float, study: str = "division", threshold: str = "flat") -> SameRate:
    return SameRate(at(unit, label, study), PublishedRate(value, "=", "text", threshold, 25))


def shares(
    unit: str,
    labels: Iterable[str],
    values: Iterable[float],
    study: str = "division",
    threshold: str = "flat",
) -> SameCurve:
    """Several rates of one sentence, tested together."""
    pairs = zip(labels, values, strict=True)
    return SameCurve(tuple(share(unit, label, value, study, threshold) for label, value in pairs))


def pairs(
    study: str, first: str, second: str, labels: Iterable[str] = ALL
) -> tuple[tuple[Place, Place], ...]:
    return tuple(zip(places(first, labels, study), places(second, labels, study), strict=True))


def better(
    study: str, first: str, second: str, labels: Iterable[str] = ALL, measure: Measure = "success"
) -> Beats:
    """The first is better than the second on these ranges taken together."""
    labels = tuple(labels)
    return Beats(places(first, labels, study), places(second, labels, study), measure, "flat")


def best(study: str, first: str, others: Iterable[str], labels: Iterable[str] = ALL) -> Best:
    """The first is better than each of the others on these ranges taken together."""
    labels = tuple(labels)
    return Best(tuple((unit, places(unit, labels, study)) for unit in (first, *others)), "flat")


def not_better(study: str, first: str, second: str, labels: Iterable[str] = ALL) -> NotBetter:
    """On none of these ranges is the second better than the first."""
    return NotBetter(pairs(study, first, second, labels), threshold="flat")


def alike(study: str, first: str, second: str, labels: Iterable[str] = ALL) -> NotBetter:
    """On none of these ranges is either better than the other."""
    return NotBetter(pairs(study, first, second, labels), alike=True, threshold="flat")


def fails(unit: str, labels: Iterable[str], study: str = "division") -> Every:
    """On each of these ranges some runs fail."""
    return Every(tuple(not_always(place, threshold="flat") for place in places(unit, labels, study)))
