"""Claims of 001, "Neural Arithmetic Units" (Madsen & Johansen 2020).

Cells of its tables and points of its figures come from the record. Published means of solved-at and sparsity
error are not among them: their computation was wrong (D16, D17), so agreement would mean nothing.
"""

from __future__ import annotations

from nalm.studies.claims import Claim, Place
from nalm.studies.ledger.tables import table
from nalm.studies.rules import Beats, CountOf, Every, Untestable, full, none
from nalm.studies.study import Cell
from nalm.studies.two_layer import GATING, TEN_PARAMETER, TWO_LAYER
from nalm.studies.two_layer_sweeps import (
    ABLATION,
    HIDDEN,
    INPUTS,
    OPTIMISER,
    OVERLAP,
    PENALTY,
    RANGE_SWEEP,
    SUBSET,
)

IN_TABLE_2 = {
    "mul": ("NAC•", "NALU", "NMU"),
    "add": ("NAC+", "Linear", "NALU", "NAU"),
    "sub": ("NAC+", "Linear", "NALU", "NAU"),
}
"""What 001 table 2 shows; table 6 repeats it and adds the rest."""
PENALTY_FIGURES = {"add": "001-f10", "sub": "001-f11", "mul": "001-f12"}


def _main_table(cell: Cell) -> str:
    return "001-t2" if cell.unit in IN_TABLE_2.get(cell.operation, ()) else "001-t6"


TABLES = (
    *table(TEN_PARAMETER, lambda cell: "001-t1"),
    *table(TWO_LAYER, _main_table),
    *table(GATING, lambda cell: "001-t5"),
    *table(HIDDEN, lambda cell: "001-f3", several=True),
    *table(RANGE_SWEEP, lambda cell: "001-f3", several=True),
    *table(ABLATION, lambda cell: "001-f7", several=True),
    *(
        claim
        for study in (INPUTS, OVERLAP, SUBSET)
        for claim in table(study, lambda cell: "001-f8", several=True)
    ),
    *table(PENALTY, lambda cell: PENALTY_FIGURES[cell.operation], several=True),
    *table(OPTIMISER, lambda cell: "001-opt", several=True),
)

RANGE = "[1, 2)"
HIDDEN_SIZES = tuple(f"hidden {size}" for size in range(2, 11))


def at(unit: str, operation: str, study: str = "two-layer", label: str = RANGE) -> Place:
    return Place(study, unit, operation, label)


def first(unit: str) -> Place:
    return at(unit, "mul", "ten-parameter")


def ablated(unit: str, hidden: int) -> Place:
    return at(unit, "mul", "two-layer-ablation", f"hidden {hidden}")


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
                Beats(swept("NMU", label), swept(other, label))
                for label in HIDDEN_SIZES[1:]
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
        Every(tuple(Beats(ablated("NMU", size), ablated("NMU, no penalty", size)) for size in range(3, 11))),
    ),
    Claim(
        "001-c5-gate-random",
        "Which operation a gate settles on is mostly random and independent of the task.",
        "001 appendix C.5, observation 3",
        Untestable("the sentence gives no number; `nalm plot gating` draws the histogram it was read from"),
    ),
    Claim(
        "001-c5-separate-addition",
        "Separate weights let the NALU settle on addition more often than shared ones.",
        "001 appendix C.5, observation 1",
        Beats(at("NALU (separate)", "add", "gating"), at("NALU (shared)", "add", "gating")),
    ),
    Claim(
        "001-c5-nmu-behind-gate",
        "On products a gate in front of the NMU succeeds more often than in front of the NAC•.",
        "001 appendix C.5, observation 2",
        Every(
            tuple(
                Beats(at("gated NAU/NMU", "mul", "gating"), at(other, "mul", "gating"))
                for other in ("NALU (separate)", "NALU (shared)")
            )
        ),
    ),
    Claim(
        "001-c7-no-division",
        "No model learns to divide.",
        "001 appendix C.7, observation 1",
        CountOf(
            tuple(at(cell.unit, "div") for cell in TWO_LAYER.cells if cell.operation == "div"),
            lambda rate: rate > 0,
            "a success rate above 0",
            0,
        ),
    ),
    Claim(
        "001-c7-nmu-squares",
        "The NMU always learns squares.",
        "001 appendix C.7, observation 3",
        full(at("NMU", "squared"), 100, "published"),
    ),
    Claim(
        "001-b3-nac-expectation",
        "The expectation of a NAC•'s output is above 1 whatever its weights' variance.",
        "001 section 2.4, appendix B.3",
        Untestable("a derivation, not a run: `nalm plot expectation-error` draws how far it is off"),
    ),
    Claim(
        "001-s4.2-mnist",
        "An NMU behind a convolutional network multiplies longer sequences of digits than it was trained on.",
        "001 section 4.2, figure 4",
        Untestable("the sequence tasks are not among the studies"),
    ),
)  # fmt: skip

CLAIMS = (*TABLES, *SENTENCES)
