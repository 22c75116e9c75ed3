"""Claims of 001, "Neural Arithmetic Units" (Madsen & Johansen 2020).

Cells of its tables and curves of its figures come from the record. Published means of solved-at and sparsity
error are not among them: their computation was wrong (D16, D17), so agreement would mean nothing.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from nalm.measuring.expectation import exact
from nalm.studies.claims import Claim, Place
from nalm.studies.least_error import OUT_OF_REACH, known
from nalm.studies.ledger.table_claims import curves, table
from nalm.studies.rules import (
    Beats,
    Computed,
    Every,
    NotBetter,
    OutOfReach,
    full,
    none,
    some_of,
)
from nalm.studies.study import Cell
from nalm.studies.two_layer import GATING, TEN_PARAMETER, TWO_LAYER
from nalm.studies.two_layer_sweeps import HIDDEN, INPUTS, OVERLAP, PENALTY, RANGE_SWEEP, SUBSET

IN_TABLE_2 = {
    "mul": ("NAC•", "NALU", "NMU"),
    "add": ("NAC+", "Linear", "NALU", "NAU"),
    "sub": ("NAC+", "Linear", "NALU", "NAU"),
}
"""What 001 table 2 shows; table 6 repeats it and adds the rest."""
PENALTY_FIGURES = {"add": "001-f10", "sub": "001-f11", "mul": "001-f12"}
CURVES = "001 curves"
"""The family of the 31 curves of its figures."""


def _main_table(cell: Cell) -> str:
    return "001-t2" if cell.unit in IN_TABLE_2.get(cell.operation, ()) else "001-t6"


def _without_runs(claims: Iterable[Claim]) -> Iterator[Claim]:
    """Zeros that follow from what a model cannot represent are decided by that."""
    for claim in claims:
        for place in claim.rule.places:
            if place.operation not in OUT_OF_REACH.get(place.unit, ()):
                continue
            least = known(place.unit, place.operation)
            rule = OutOfReach(least.error, least.proven, least.threshold)
            claim = dataclasses.replace(claim, rule=rule)
        yield claim


TABLES = (
    *table(TEN_PARAMETER, lambda cell: "001-t1"),
    *_without_runs(table(TWO_LAYER, _main_table)),
    *table(GATING, lambda cell: "001-t5"),
    *curves(HIDDEN, lambda cell: "001-f3-hidden", CURVES, lambda cell: ""),
    *curves(RANGE_SWEEP, lambda cell: "001-f3-range", CURVES, lambda cell: ""),
    *curves(INPUTS, lambda cell: "001-f8-inputs", CURVES, lambda cell: ""),
    *curves(OVERLAP, lambda cell: "001-f8-overlap", CURVES, lambda cell: ""),
    *curves(SUBSET, lambda cell: "001-f8-subset", CURVES, lambda cell: ""),
    *curves(PENALTY, lambda cell: PENALTY_FIGURES[cell.operation], CURVES, lambda cell: ""),
)

RANGE = "[1, 2)"
ABLATED_SIZES = (3, 5, 10)
"""Hidden sizes at which observations on larger ones are tested."""
HIDDEN_SIZES = tuple(f"hidden {size}" for size in range(2, 11))


def at(unit: str, operation: str, study: str = "two-layer", label: str = RANGE) -> Place:
    return Place(study, unit, operation, label)


def first(unit: str) -> Place:
    return at(unit, "mul", "ten-parameter")


def ablated(unit: str, hidden: int) -> Place:
    return at(unit, "mul", "two-layer-ablation", f"hidden {hidden}")


def chose(unit: str, operation: str) -> Place:
    return at(unit, operation, "gating")


def _expectation() -> tuple[bool, str]:
    """The expectation of one factor over the ranges of weights and inputs that figure 5 draws."""
    values = {(w, z): exact(w, z) for w in (0.05, 0.1, 0.25, 0.5) for z in (0.5, 2.0, 10.0, 50.0)}
    (w, z), least = min(values.items(), key=lambda item: item[1])
    return (
        least > 1,
        f"the least of {len(values)} expectations is {least:.5f}, at r_w = {w:g} and r_z = {z:g}",
    )


def swept(unit: str, label: str) -> Place:
    return at(unit, "mul", "two-layer-hidden" if label.startswith("hidden") else "two-layer-ranges", label)


SENTENCES = (
    Claim(
        "001-s1.1-nmu-more-often",
        "On the ten-parameter function the NMU succeeds more often than NAC• and NALU.",
        "001 section 1.1",
        Every((Beats(first("NMU"), first("NAC•")), Beats(first("NMU"), first("NALU")))),
    ),
    Claim(
        "001-s1.1-nmu-faster",
        "On the ten-parameter function the NMU is solved earlier than NAC• and NALU.",
        "001 section 1.1",
        Every(
            tuple(Beats(first("NMU"), first(other), "solved_at") for other in ("NAC•", "NALU"))
        ),
    ),
    Claim(
        "001-s4.1-nmu-more-often",
        "On products of sums the NMU succeeds more often than NAC• and NALU.",
        "001 section 4.1.2",
        Every(tuple(Beats(at("NMU", "mul"), at(other, "mul")) for other in ("NAC•", "NALU"))),
    ),
    Claim(
        "001-s4.1-nmu-faster",
        "On products of sums the NMU is solved earlier than the NAC•.",
        "001 section 4.1.2",
        Beats(at("NMU", "mul"), at("NAC•", "mul"), "solved_at"),
    ),
    Claim(
        "001-s4.1-nau-nac-always",
        "NAU and NAC+ always learn addition and subtraction.",
        "001 section 4.1.2",
        Every(
            tuple(
                full(at(unit, operation), 100, "published")
                for unit in ("NAU", "NAC+")
                for operation in ("add", "sub")
            )
        ),
    ),
    Claim(
        "001-s4.1-nau-faster",
        "The NAU solves addition and subtraction earlier than the NAC+.",
        "001 section 4.1.2",
        Every(tuple(Beats(at("NAU", op), at("NAC+", op), "solved_at") for op in ("add", "sub"))),
    ),
    Claim(
        "001-s4.1-nau-sparser",
        "The NAU's solutions of addition and subtraction are sparser than the NAC+'s.",
        "001 section 4.1.2",
        Every(tuple(Beats(at("NAU", op), at("NAC+", op), "sparsity_error") for op in ("add", "sub"))),
    ),
    Claim(
        "001-s4.1-linear-subtraction",
        "A linear network finds subtraction hard: it succeeds less often than on addition.",
        "001 section 4.1.2",
        Beats(at("Linear", "add"), at("Linear", "sub")),
    ),
    Claim(
        "001-s4.1.3-large-hidden",
        "From hidden size 3 on the NMU succeeds more often than NAC•, NAC•σ and NAC•NMU.",
        "001 section 4.1.3",
        Every(
            tuple(
                Beats(
                    tuple(swept("NMU", label) for label in HIDDEN_SIZES[1:]),
                    tuple(swept(other, label) for label in HIDDEN_SIZES[1:]),
                    threshold="published",
                )
                for other in ("NAC•", "NAC•σ", "NAC•NMU")
            )
        ),
    ),
    Claim(
        "001-s4.1.3-both-signs",
        "Of the multipliers only the NMU learns inputs of both signs, U[−2, 2).",
        "001 section 4.1.3",
        Every(
            tuple(
                Beats(swept("NMU", "[-2, 2)"), swept(other, "[-2, 2)"))
                for other in ("NAC•", "NAC•σ", "NAC•NMU", "NALU")
            )
        ),
    ),
    Claim(
        "001-s4.1.3-no-division-helps",
        "With two hidden units the NAC• succeeds more often without division (NAC•σ) and with weights pulled "
        "to 0 and 1 (NAC•NMU).",
        "001 section 4.1.3",
        Every(tuple(Beats(at(unit, "mul"), at("NAC•", "mul")) for unit in ("NAC•σ", "NAC•NMU"))),
    ),
    Claim(
        "001-s4.1.3-narrow-range",
        "No model learns multiplication on U[1.1, 1.2).",
        "001 section 4.1.3",
        Every(
            tuple(
                none(swept(unit, "[1.1, 1.2)"), 50, "published")
                for unit in ("NMU", "NAC•", "NAC•σ", "NAC•NMU", "NALU")
            )
        ),
    ),
    Claim(
        "001-c3-constraints-idle",
        "With two hidden units the NMU needs neither penalty nor clamp: it always succeeds.",
        "001 appendix C.3, observation 1",
        Every(
            tuple(
                full(ablated(unit, 2), 50, "published")
                for unit in ("NMU", "NMU, no penalty", "NMU, no clamp", "NMU, no penalty, no clamp")
            )
        ),
    ),
    Claim(
        "001-c3-penalty-matters",
        "Without the penalty the NMU fails as soon as there are more than two hidden units.",
        "001 appendix C.3, observation 2",
        Beats(
            tuple(ablated("NMU", size) for size in ABLATED_SIZES),
            tuple(ablated("NMU, no penalty", size) for size in ABLATED_SIZES),
            threshold="published",
        ),
    ),
    Claim(
        "001-c3-clamp-idle",
        "Without the clamp the NMU succeeds as often at larger hidden sizes.",
        "001 appendix C.3, observation 3",
        NotBetter(
            tuple((ablated("NMU, no clamp", size), ablated("NMU", size)) for size in ABLATED_SIZES),
            alike=True,
            threshold="published",
        ),
    ),
    Claim(
        "001-c3-both-matter",
        "Without penalty and clamp the NMU succeeds less often at larger hidden sizes.",
        "001 appendix C.3, observation 4",
        Beats(
            tuple(ablated("NMU", size) for size in ABLATED_SIZES),
            tuple(ablated("NMU, no penalty, no clamp", size) for size in ABLATED_SIZES),
            threshold="published",
        ),
    ),
    Claim(
        "001-c5-separate-addition",
        "With separate weights the gate of the NALU chooses addition more often than with shared "
        "ones, on both "
        "tasks.",
        "001 appendix C.5, observation 1",
        Every(
            tuple(
                Beats(chose("NALU (separate)", task), chose("NALU (shared)", task), threshold="gate")
                for task in ("add", "mul")
            )
        ),
    ),
    Claim(
        "001-c5-nmu-behind-gate",
        "On products, where the gate has chosen rightly, the NMU behind it succeeds more often "
        "than the NAC•.",
        "001 appendix C.5, observation 2",
        Every(
            tuple(
                Beats(chose("gated NAU/NMU", "mul"), chose(other, "mul"), threshold="right gate")
                for other in ("NALU (separate)", "NALU (shared)")
            )
        ),
    ),
    Claim(
        "001-c5-gate-random",
        "Which operation a gate chooses is independent of the task: it chooses addition as often "
        "on sums as on "
        "products.",
        "001 appendix C.5, observation 3",
        NotBetter(
            tuple((chose(cell.unit, "mul"), chose(cell.unit, "add")) for cell in GATING.cells[:3]),
            alike=True,
            threshold="gate",
        ),
    ),
    Claim(
        "001-c7-no-division",
        "No model learns to divide.",
        "001 appendix C.7, observation 1",
        some_of(
            tuple(
                at(cell.unit, "div")
                for cell in TWO_LAYER.cells
                if cell.operation == "div" and "div" not in OUT_OF_REACH.get(cell.unit, ())
            ),
            0,
            "published",
        ),
    ),
    Claim(
        "001-c7-nmu-squares",
        "The NMU always learns squares.",
        "001 appendix C.7, observation 3",
        full(at("NMU", "squared"), 100, "published"),
    ),
    Claim(
        "001-c7-gated-poor",
        "Two gated layers of NAU and NMU never learn anything.",
        "001 appendix C.7, observation 4",
        some_of(
            tuple(at("gated NAU/NMU", cell.operation) for cell in TWO_LAYER.cells if cell.unit == "NMU"),
            0,
            "published",
        ),
    ),
    Claim(
        "001-b3-nac-expectation",
        "The expectation of a NAC•'s output is above 1 whatever its weights' variance.",
        "001 section 2.4, appendix B.3",
        Computed(_expectation, "the expectation of one factor, integrated over ranges of weights and inputs"),
    ),
)  # fmt: skip

CLAIMS = (*TABLES, *SENTENCES)
