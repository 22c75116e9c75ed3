"""Claims of 002 appendix D.3 on logic and comparisons, and of D.1 on the relevance gate.

The sources summarise papers whose settings they do not give: the verdicts are about our settings.
"""

from __future__ import annotations

from nalm.studies.claims import Claim, Place
from nalm.studies.comparison_studies import COMPARISON, COMPARISON_SCALE, KINDS, PIECEWISE
from nalm.studies.inalu_studies import RELEVANCE
from nalm.studies.logic_studies import LOGIC
from nalm.studies.rules import Beats, Every, NotBetter, full, full_on, none
from nalm.studies.sequence_lengths import COUNTING, LENGTHS, SEQUENCE_LENGTHS
from nalm.studies.sequence_lengths import setting as length_of
from nalm.studies.shortest_paths import SCALES, SHARP, SHORTEST_PATHS
from nalm.studies.shortest_paths import setting as below
from nalm.tasks.truth_table import CONNECTIVES

EVERY_ROW, RIGHT, EXACT = (study.thresholds[0][0] for study in (LOGIC, COMPARISON, PIECEWISE))
HARD = ("xor", "equivalent")
"""The functions that need two layers."""


def logic(form: str, operation: str, size: str, inputs: int = 4) -> Place:
    return Place(LOGIC.name, form, operation, size, inputs)


def compare(redundancy: int, operation: str, kind: str, inputs: int = 2) -> Place:
    return Place(COMPARISON.name, f"NSR, redundancy {redundancy}", operation, kind, inputs)


def scaled(scale: str, operation: str, label: str) -> Place:
    return Place(COMPARISON_SCALE.name, f"NSR, λ = {scale}", operation, label)


def piecewise(operation: str, kind: str) -> Place:
    return Place(PIECEWISE.name, "NSR, redundancy 1, between two NAUs", operation, kind)


def sequence(operation: str, magnitude: float, scale: float = 100.0) -> Place:
    return Place(SHORTEST_PATHS.name, f"NSR, λ = {scale:g}", operation, below(magnitude))


def by_length(unit: str, operation: str, length: int) -> Place:
    return Place(SEQUENCE_LENGTHS.name, unit, operation, length_of(length))


def relevance(unit: str, label: str) -> Place:
    return Place(RELEVANCE.name, unit, "add", label)


CLAIMS = (
    Claim(
        "002-d3.1-basic", "Stacked NLRLs learn AND, OR, NOT and XOR.", "002 appendix D.3.1",
        Every(
            tuple(
                full(logic("AND and OR", operation, "hidden 8"), threshold=EVERY_ROW)
                for operation in ("and", "or", "not", "xor")
            )
        ),
    ),
    Claim(
        "002-d3.1-units", "More units between two NLRLs do better.", "002 appendix D.3.1",
        Beats(
            tuple(logic("AND only", name, "hidden 8") for name in HARD),
            tuple(logic("AND only", name, "hidden 2") for name in HARD),
        ),
    ),
    Claim(
        "002-d3.1-saturation", "Beyond 8 units nothing is gained.", "002 appendix D.3.1",
        NotBetter(
            tuple(
                (logic(form, name, "hidden 8"), logic(form, name, "hidden 16"))
                for form in ("AND and OR", "AND only")
                for name in HARD
            )
        ),
    ),
    Claim(
        "002-d3.1-faster", "NLRLs with AND and OR converge in fewer iterations than those with AND only.",
        "002 appendix D.3.1",
        Beats(
            tuple(logic("AND and OR", name, "hidden 8") for name in CONNECTIVES),
            tuple(logic("AND only", name, "hidden 8") for name in CONNECTIVES),
            "solved_at",
        ),
    ),
    Claim(
        "002-d3.2-comparisons", "NSRs learn <, >, ≤ and ≥ of integers and reals, to larger magnitudes.",
        "002 appendix D.3.2",
        Every(
            tuple(
                full(compare(1, operation, kind), threshold=RIGHT)
                for operation in ("<", ">", "<=", ">=")
                for kind in KINDS
            )
        ),
    ),
    Claim(
        "002-d3.2-equality", "= and ≠ are harder for NSRs than the other comparisons.", "002 appendix D.3.2",
        Beats(
            tuple(compare(1, o, kind) for o in ("<", ">") for kind in KINDS),
            tuple(compare(1, o, kind) for o in ("=", "!=") for kind in KINDS),
        ),
    ),
    Claim(
        "002-d3.2-redundancy", "Redundant operand pairs help with = and ≠.", "002 appendix D.3.2",
        Beats(
            tuple(compare(3, o, kind) for o in ("=", "!=") for kind in KINDS),
            tuple(compare(1, o, kind) for o in ("=", "!=") for kind in KINDS),
        ),
    ),
    Claim(
        "002-d3.2-absolute", "An NSR with NAUs learns |a − b| and extrapolates.", "002 appendix D.3.2",
        Every(tuple(full(piecewise("|a - b|", kind), threshold=EXACT) for kind in KINDS)),
    ),
    Claim(
        "002-d3.2-jump", "An NSR with NAUs does not learn a function that jumps.", "002 appendix D.3.2",
        Every(tuple(none(piecewise("a + b or a - b", kind), threshold=EXACT) for kind in KINDS)),
    ),
    Claim(
        "002-d3.2-minimum", "A recurrent NSR finds the minimum of a list, and of longer ones.",
        "002 appendix D.3.2",
        full_on(tuple(sequence("minimum", magnitude) for magnitude in (1, 10, 100)), 3),
    ),
    Claim(
        "002-d3.2-minimum-lengths", "It finds the minimum of lists twice, five and ten times as long.",
        "002 appendix D.3.2; λ = 1000 is chosen here",
        full_on(tuple(by_length(SHARP, "minimum", length) for length in LENGTHS["minimum"][1:]), 3),
    ),
    Claim(
        "002-d3.2-counting", "A recurrent NSR counts an element worse as the sequence grows.",
        "002 appendix D.3.2",
        Beats(
            tuple(by_length(unit, "count", LENGTHS["count"][0]) for unit in COUNTING),
            tuple(by_length(unit, "count", LENGTHS["count"][-1]) for unit in COUNTING),
        ),
    ),
    Claim(
        "002-d3.2-paths", "A recurrent NSR learns the step by which Bellman and Ford find shortest paths.",
        "002 appendix D.3.2",
        full_on(tuple(sequence("relax", magnitude) for magnitude in (10, 100)), 2),
    ),
    Claim(
        "002-d3.2-weights", "On larger graphs, shortest paths are found better if weights are larger.",
        "002 appendix D.3.2",
        Beats(
            tuple(sequence("relax", 100, scale) for scale in SCALES),
            tuple(sequence("relax", 1, scale) for scale in SCALES),
        ),
    ),
    Claim(
        "002-s2.2.7-scale", "Small differences need a large λ.", "002 section 2.2.7",
        Beats(scaled("100", "=", "[-0.1, 0.1)"), scaled("0.1", "=", "[-0.1, 0.1)")),
    ),
    Claim(
        "002-d1-relevance", "The relevance gate lets NPUs ignore an input.", "002 appendix D.1",
        Beats(
            tuple(relevance("Real NPU", label) for label in ("[-0.1, 0.1)", "[-1, 1)", "[-5, 5)")),
            tuple(relevance("Real naive NPU", label) for label in ("[-0.1, 0.1)", "[-1, 1)", "[-5, 5)")),
        ),
    ),
)  # fmt: skip
