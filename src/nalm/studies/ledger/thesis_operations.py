"""Claims of 002 sections 3.3.2 and 3.4 that compare operations, kinds of units and sparsity errors."""

from __future__ import annotations

import itertools

from nalm.studies.claims import Claim, Place
from nalm.studies.ledger.thesis_002 import ALL, NARROW, at, pairs, places
from nalm.studies.rules import (
    LOW,
    NONE,
    Beats,
    Best,
    CountOf,
    Every,
    LargerGain,
    Majority,
    NearlyAll,
    NotBetter,
    every,
    full_on,
)

ALL_FOUR = ("NALU", "G-NALU", "iNALU")
"""The units that are built for all four operations."""
OPERATIONS = ("add", "sub", "mul", "div")
SPECIALISTS = {
    "NAC+": ("add", "sub"),
    "NAU": ("add", "sub"),
    "NAC•": ("mul", "div"),
    "NMU": ("mul",),
    "NPU": ("mul", "div"),
    "Real NPU": ("mul", "div"),
}
"""Units for one or two operations, and which."""
SIMILAR = 0.5
"""Iterations are similar if most runs of one need less than twice those of the other."""


def over(operations: tuple[str, ...], units: tuple[str, ...] = ALL_FOUR) -> tuple[Place, ...]:
    """All ranges of some units and operations."""
    return tuple(place for unit in units for operation in operations for place in places(unit, operation))


CLAIMS = (
    Claim(
        "002-add-nau-sparse",
        "On addition the NAU's sparsity errors are around 0.",
        "002 section 3.3.2, addition",
        NearlyAll(places("NAU", "add"), "sparsity_error", NONE),
    ),
    Claim(
        "002-add-nalu-sparse",
        "On addition the NALU's sparsity errors are low.",
        "002 section 3.3.2, addition",
        NearlyAll(places("NALU", "add"), "sparsity_error", LOW),
    ),
    Claim(
        "002-sub-nau-sparse",
        "On subtraction the NAU's weights are perfectly sparse.",
        "002 section 3.3.2, subtraction",
        NearlyAll(places("NAU", "sub"), "sparsity_error", NONE),
    ),
    Claim(
        "002-sub-nau-speed",
        "The NAU needs about as many iterations for subtraction as for addition.",
        "002 section 3.3.2, subtraction",
        Every(
            tuple(
                Beats(places("NAU", one), places("NAU", other), "solved_at", factor=SIMILAR)
                for one, other in (("add", "sub"), ("sub", "add"))
            )
        ),
    ),
    Claim(
        "002-sub-nalu-exception",
        "On U[10, 20) the NALU does not learn subtraction less often than addition.",
        "002 section 3.3.2, subtraction",
        NotBetter(((at("NALU", "sub", "[10, 20)"), at("NALU", "add", "[10, 20)")),)),
    ),
    Claim(
        "002-mul-nalu-some",
        "The NALU learns multiplication on some ranges.",
        "002 section 3.3.2, multiplication",
        CountOf(places("NALU", "mul"), lambda rate: rate == 0, "no success at all", 8, at_most=True),
    ),
    Claim(
        "002-operations-harder",
        "Units for all four operations learn to multiply and divide less often than to add and subtract.",
        "002 section 3.3.2, why multiplication is more challenging",
        Beats(over(("add", "sub")), over(("mul", "div"))),
    ),
    Claim(
        "002-operations-order",
        "Units for all four find division the hardest operation, then multiplication, subtraction, addition.",
        "002 section 3.4",
        Every(
            tuple(
                Beats(over((easier,)), over((harder,))) for easier, harder in itertools.pairwise(OPERATIONS)
            )
        ),
    ),
    Claim(
        "002-specialists",
        "In most cases units for one or two operations succeed more often than the NALU.",
        "002 section 3.4",
        Majority(
            tuple(
                pair
                for unit, operations in SPECIALISTS.items()
                for operation in operations
                for pair in pairs(unit, "NALU", operation)
            )
        ),
    ),
    Claim(
        "002-inalu-best",
        "Of the units for all four operations the iNALU is the best over all operations.",
        "002 section 3.4",
        Best(tuple((unit, over(OPERATIONS, (unit,))) for unit in ("iNALU", "NALU", "G-NALU"))),
    ),
    Claim(
        "002-inalu-gain",
        "The iNALU gains less over NALU and G-NALU in multiplication and division than in the other two.",
        "002 section 3.4",
        Every(
            tuple(
                LargerGain(
                    (over(("add", "sub"), ("iNALU",)), over(("add", "sub"), (other,))),
                    (over(("mul", "div"), ("iNALU",)), over(("mul", "div"), (other,))),
                )
                for other in ("NALU", "G-NALU")
            )
        ),
    ),
    Claim(
        "002-redundant-nau-ranges",
        "With 8 redundant inputs the NAU's failures at addition are those on ±[1.1, 1.2) alone.",
        "002 section 3.3.2, figure 3.6",
        full_on(places("NAU", "add", tuple(r for r in ALL if r not in NARROW), 10), 7),
    ),
    Claim(
        "002-redundant-nau-ranges-100",
        "With 98 redundant inputs the NAU's failures at subtraction are those on ±[1.1, 1.2) alone.",
        "002 section 3.3.2, figure 3.7",
        full_on(places("NAU", "sub", tuple(r for r in ALL if r not in NARROW), 100), 7),
    ),
    Claim(
        "002-redundant-inalu-failures",
        "With 8 redundant inputs the iNALU fails at addition on several ranges.",
        "002 section 3.3.2, figure 3.8",
        CountOf(places("iNALU", "add", ALL, 10), every, "full success", 7, at_most=True),
    ),
)
