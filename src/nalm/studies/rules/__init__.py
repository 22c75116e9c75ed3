"""The rules that decide claims: few, and each says what it compares."""

from nalm.studies.rules.averages import Alike, Average, Higher
from nalm.studies.rules.bounds import HIGH, LOW, NONE, Majority, NearlyAll
from nalm.studies.rules.combined import ByThreshold, Computed, Every, OutOfReach, Untestable
from nalm.studies.rules.direction import Beats, Best, NotBetter
from nalm.studies.rules.gains import LargerGain
from nalm.studies.rules.medians import MeanErrors, MedianSolvedAt
from nalm.studies.rules.sameness import Pooled, SameCurve, SameRate, full, none
from nalm.studies.rules.stated_counts import (
    CountOf,
    EachSolved,
    FullEverywhere,
    NotAlways,
    Tally,
    Varies,
    every,
    full_on,
    not_always,
    some,
    some_of,
)

__all__ = [
    "HIGH",
    "LOW",
    "NONE",
    "Alike",
    "Average",
    "Beats",
    "Best",
    "ByThreshold",
    "Computed",
    "CountOf",
    "EachSolved",
    "Every",
    "FullEverywhere",
    "Higher",
    "LargerGain",
    "Majority",
    "MeanErrors",
    "MedianSolvedAt",
    "NearlyAll",
    "NotAlways",
    "NotBetter",
    "OutOfReach",
    "Pooled",
    "SameCurve",
    "SameRate",
    "Tally",
    "Untestable",
    "Varies",
    "every",
    "full",
    "full_on",
    "none",
    "not_always",
    "some",
    "some_of",
]
