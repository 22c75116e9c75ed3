"""Data that agree with a claim, and data that contradict it, made from its rule."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
from made_up import Cell

from nalm.studies.claims import DecidedBy, Place
from nalm.studies.published_runs import solved_at
from nalm.studies.rules import (
    Alike,
    Average,
    Beats,
    Best,
    ByThreshold,
    CountOf,
    EachSolved,
    Every,
    FullEverywhere,
    Higher,
    LargerGain,
    Majority,
    MeanErrors,
    MedianSolvedAt,
    NearlyAll,
    NotAlways,
    NotBetter,
    Pooled,
    SameCurve,
    SameRate,
    Tally,
    Varies,
)

Data = dict[Place, Cell]


def parts(rule: DecidedBy) -> Iterator[DecidedBy]:
    """The elementary rules a rule is made of."""
    if isinstance(rule, Every):
        for part in rule.rules:
            yield from parts(part)
    elif isinstance(rule, ByThreshold):
        yield from parts(rule.rule(rule.counted))
    else:
        yield rule


def is_about_an_effect(rule: DecidedBy) -> bool:
    """Whether a rule says that something makes a difference."""
    return any(
        isinstance(part, Best | Higher | LargerGain | Majority | Varies)
        or (isinstance(part, Beats) and part.factor >= 1)  # below 1 it says "not much worse"
        or (isinstance(part, Tally) and bool(part.lower or part.higher))
        for part in parts(rule)
    )


def agreeing(rule: DecidedBy) -> Data:
    """Data on which all parts of a rule hold."""
    data: Data = {}
    for part in parts(rule):
        data |= _agreeing(part)
    data |= _ordered([part for part in parts(rule) if isinstance(part, Beats)], data)
    data |= _raised([part for part in parts(rule) if isinstance(part, Higher)])
    return data


def contradicting(rule: DecidedBy) -> Iterator[tuple[DecidedBy, Data]]:
    """For every part of a rule, data on which the others hold and that one does not."""
    for part in parts(rule):
        yield part, agreeing(rule) | _contradicting(part)


def _agreeing(rule: DecidedBy) -> Data:
    match rule:
        case SameRate():
            return {rule.place: Cell(rule.published.value)}
        case Pooled():
            return {cell: Cell(rule.published) for cell in rule.cells}
        case SameCurve():
            return {point.place: Cell(point.published.value) for point in rule.points}
        case CountOf():
            passing = 0 if rule.at_most else rule.expected
            return {cell: Cell(_share(rule, k < passing)) for k, cell in enumerate(rule.cells)}
        case Tally():
            stated = [rule.lower, rule.same, rule.higher]
            if None in stated:
                rest = len(rule.pairs) - sum(n for n in stated if n is not None)
                stated[len(stated) - 1 - stated[::-1].index(None)] = rest
                stated = [n or 0 for n in stated]
            shares = [(0.0, 1.0)] * stated[0] + [(0.5, 0.5)] * stated[1] + [(1.0, 0.0)] * stated[2]
            each = zip(rule.pairs, shares, strict=True)
            return {place: Cell(s) for pair, two in each for place, s in zip(pair, two, strict=True)}
        case NotAlways():
            return {cell: Cell(0.3) for cell in rule.cells}
        case EachSolved():
            return {cell: Cell(1.0) for cell in rule.cells}
        case Varies():
            return {cell: Cell(float(k % 2)) for k, cell in enumerate(rule.cells)}
        case FullEverywhere():
            return {
                c: Cell(1.0 if name in rule.expected else 0.2) for name, cells in rule.groups for c in cells
            }
        case MedianSolvedAt():
            known = solved_at(rule.place)
            return {rule.place: Cell(1.0, float(np.median(known)) if known else rule.published)}
        case MeanErrors():
            return {cell: Cell(0.0, error=value) for cells, value in rule.rows for cell in cells}
        case Average():
            return {place: Cell(rule.published, error=1 - rule.published) for place in rule.looks}
        case NotBetter() | Alike():
            return {place: Cell(0.5, error=0.5) for place in rule.places}
        case NearlyAll():
            return dict.fromkeys(rule.cells, _beside(rule.bound, rule.above))
        case Majority():
            return {place: Cell(float(place == pair[0])) for pair in rule.pairs for place in pair}
        case LargerGain():
            return _gains(rule, 1.0, 0.5)
        case Best():
            return {
                cell: Cell(float((k == 0) != rule.worst))
                for k, (_, cells) in enumerate(rule.groups)
                for cell in cells
            }
        case _:
            return {}


def _ordered(rules: list[Beats], data: Data) -> Data:
    """Cells in the claimed order: the longer the chain of worse ones, the better; given shares stay."""
    depth: dict[Place, int] = {place: 0 for rule in rules for place in rule.places}
    apart = [rule for rule in rules if rule.factor >= 1]  # below 1 it says "not much worse": equals will do
    for _ in depth:
        for rule in apart:
            for better, worse in zip(*rule.sides, strict=True):
                depth[better] = max(depth[better], depth[worse] + 1)
    most = max(depth.values(), default=1)
    found: Data = {}
    for rule in rules:
        for place in rule.places:
            share = depth[place] / most if rule.measure == "success" else 1.0
            if place in data:
                share = data[place].share
            steps = 40_000.0 / 5 ** depth[place]
            found[place] = Cell(share, steps, 0.1 / 10 ** depth[place])
    return found


def _raised(rules: list[Higher]) -> Data:
    """Cells whose means are in the claimed order, all looks of a side alike."""
    depth = {place: 0 for rule in rules for place in rule.places}
    for _ in depth:
        for rule in rules:
            for better, worse in itertools.product(rule.first, rule.second):
                depth[better] = max(depth[better], depth[worse] + 1)
    most = max(depth.values(), default=1)
    return {place: Cell(own / most, error=1 - own / most) for place, own in depth.items()}


def _contradicting(rule: DecidedBy) -> Data:
    match rule:
        case SameRate():
            return {rule.place: Cell(_far(rule.published.value, rule.published.relation))}
        case Pooled():
            return {cell: Cell(_far(rule.published)) for cell in rule.cells}
        case SameCurve():
            return {point.place: Cell(_far(point.published.value)) for point in rule.points}
        case CountOf():
            none_pass = rule.expected > 0 and not rule.at_most
            return {cell: Cell(_share(rule, not none_pass)) for cell in rule.cells}
        case Tally():
            lower = rule.lower != len(rule.pairs) and rule.higher != 0
            return {place: Cell(float(place == pair[lower])) for pair in rule.pairs for place in pair}
        case NotAlways():
            return {cell: Cell(1.0) for cell in rule.cells}
        case EachSolved():
            return {cell: Cell(0.0) for cell in rule.cells}
        case Varies():
            return {cell: Cell(0.5) for cell in rule.cells}
        case FullEverywhere():
            return {place: Cell(1.0) for place in rule.places}
        case MedianSolvedAt():
            return {rule.place: Cell(1.0, 10 * _agreeing(rule)[rule.place].solved_at)}
        case MeanErrors():
            return {cell: Cell(0.0, error=100 * value) for cells, value in rule.rows for cell in cells}
        case NearlyAll():
            return dict.fromkeys(rule.cells, _beside(rule.bound, not rule.above))
        case LargerGain():
            return _gains(rule, 0.5, 1.0)
        case NotBetter() | Majority():
            return {place: Cell(float(place == pair[1])) for pair in rule.pairs for place in pair}
        case Best():
            return {place: Cell(1 - cell.share) for place, cell in _agreeing(rule).items()}
        case Average():
            far = _far(rule.published)
            return {place: Cell(far, error=1 - far) for place in rule.looks}
        case Higher():
            low, high = Cell(0.0, error=1.0), Cell(1.0, error=0.0)
            return dict.fromkeys(rule.first, low) | dict.fromkeys(rule.second, high)
        case Alike():
            low, high = Cell(0.0, error=1.0), Cell(1.0, error=0.0)
            return dict.fromkeys(rule.first, high) | dict.fromkeys(rule.second, low)
        case Beats():
            better, worse = rule.sides
            good, bad = Cell(1.0, 1000.0, 1e-9), Cell(0.0, 45_000.0, 0.4)
            if rule.measure != "success":
                bad = Cell(1.0, 45_000.0, 0.4)
            return dict.fromkeys(better, bad) | dict.fromkeys(worse, good)
        case _:
            return {}


def _share(rule: CountOf, passes: bool) -> float:
    """Everything or nothing solved, whichever passes a rule's test, or does not."""
    return float(rule.test(1.0) == passes)


def _far(share: float, relation: str = "=") -> float:
    return 0.0 if share >= 0.5 or relation == ">=" else 1.0


def _beside(bound: float, above: bool) -> Cell:
    """Solved runs whose values are all far above a bound, or all far below it."""
    value = bound * (4 if above else 0.25)
    return Cell(1.0, value, value)


def _gains(rule: LargerGain, gain: float, than: float) -> Data:
    """Groups of cells that differ by so much, and others by so much."""
    (first, second), (third, fourth) = rule.gain, rule.than
    shares = ((first, gain), (second, 0.0), (third, than), (fourth, 0.0))
    return {place: Cell(share) for looks, share in shares for place in looks}
