"""Claims of 002 section 6.3.3 on losses other than the mean squared error, in division by single units."""

from __future__ import annotations

import itertools

from nalm.studies.claims import Claim, Place
from nalm.studies.ledger.division_places import (
    ALL,
    MODIFIED,
    NEGATIVE,
    POSITIVE,
    alike,
    always,
    at,
    best,
    better,
    never,
    places,
)
from nalm.studies.loss_studies import DIVISION_LOSS, LOSSES
from nalm.studies.rules import Beats, Best, CountOf, Every, not_always
from nalm.studies.rules.direction import Measure

STUDY = DIVISION_LOSS.name
NEAR_FULL = 0.9
"""What "near full success" is taken to mean."""
SIMILAR = 0.5
"""Values are similar if most runs have less than twice those of the other."""
MEASURES: tuple[tuple[str, str, Measure], ...] = (
    ("similar-speed", "iterations", "solved_at"),
    ("similar-sparsity", "sparsity errors", "sparsity_error"),
)


def below_half(rate: float) -> bool:
    return rate < 0.5


def over_losses(unit: str, label: str) -> tuple[Place, ...]:
    return tuple(at(f"{unit}, {loss}", label, STUDY) for loss in LOSSES)


CLAIMS = (
    Claim(
        "002-s6.3-real-npu-mse", "On U[−2, 2) the Real NPU never succeeds with MSE.",
        "002 section 6.3.3, figure 6.6", never(f"{MODIFIED}, MSE", ("[-2, 2)",), STUDY),
    ),
    Claim(
        "002-s6.3-real-npu-mixed",
        "On U[−2, 2) the Real NPU succeeds with PCC, PCC-MSE and MAPE more often than with MSE.",
        "002 section 6.3.3, figure 6.6",
        Every(
            tuple(
                better(STUDY, f"{MODIFIED}, {loss}", f"{MODIFIED}, MSE", ("[-2, 2)",))
                for loss in LOSSES
                if loss != "MSE"
            )
        ),
    ),
    Claim(
        "002-s6.3-real-npu-negative",
        "On negative ranges PCC and MAPE reduce the Real NPU's success, compared with MSE.",
        "002 section 6.3.3, figure 6.6",
        best(STUDY, f"{MODIFIED}, MSE", (f"{MODIFIED}, PCC", f"{MODIFIED}, MAPE"), NEGATIVE),
    ),
    Claim(
        "002-s6.3-real-npu-fast", "With PCC the Real NPU is solved earlier than with MSE.",
        "002 section 6.3.3, figure 6.6",
        better(STUDY, f"{MODIFIED}, PCC", f"{MODIFIED}, MSE", ALL, "solved_at"),
    ),
    Claim(
        "002-s6.3-real-npu-pcc-mse",
        "The Real NPU's success rates with PCC-MSE and with PCC differ on no range.",
        "002 section 6.3.3, figure 6.6", alike(STUDY, f"{MODIFIED}, PCC", f"{MODIFIED}, PCC-MSE"),
    ),
    Claim(
        "002-s6.3-nru-positive", "With every loss the NRU divides positive ranges.",
        "002 section 6.3.3, figure 6.7",
        Every(tuple(always(f"NRU, {loss}", POSITIVE, STUDY) for loss in LOSSES)),
    ),
    Claim(
        "002-s6.3-nru-negative", "With no loss does the NRU always divide negative ranges.",
        "002 section 6.3.3, figure 6.7",
        Every(
            tuple(
                not_always(*places(f"NRU, {loss}", NEGATIVE, STUDY), threshold="flat") for loss in LOSSES
            )
        ),
    ),
    Claim(
        "002-s6.3-nru-late", "With PCC the NRU is solved later on negative ranges than the Real NPU.",
        "002 section 6.3.3, figure 6.7",
        better(STUDY, f"{MODIFIED}, PCC", "NRU, PCC", NEGATIVE, "solved_at"),
    ),
    Claim(
        "002-s6.3-nmru-pcc-mse", "Of the four losses the PCC-MSE serves the NMRU worst.",
        "002 section 6.3.3, figure 6.8",
        Best(
            tuple(
                (loss, places(f"NMRU, {loss}", ALL, STUDY))
                for loss in ("PCC-MSE", *(loss for loss in LOSSES if loss != "PCC-MSE"))
            ),
            "flat",
            worst=True,
        ),
    ),
    Claim(
        "002-s6.3-nmru-large", "Of all ranges U[−20, −10) gives the NMRU the most trouble, over all losses.",
        "002 section 6.3.3, figure 6.8",
        Best(
            tuple(
                (label, over_losses("NMRU", label))
                for label in dict.fromkeys(("[-20, -10)", *ALL))
            ),
            "flat",
            worst=True,
        ),
    ),
    Claim(
        "002-s6.3-nmru-mixed", "On U[−2, 2) the NMRU has near full success with three of the four losses.",
        "002 section 6.3.3, figure 6.8",
        CountOf(
            tuple(at(f"NMRU, {loss}", "[-2, 2)", STUDY) for loss in LOSSES),
            lambda rate: rate >= NEAR_FULL, "a success rate of 0.9 or more", 3, threshold="flat",
        ),
    ),
    *(
        Claim(
            f"002-s6.3-real-npu-{name}",
            f"The Real NPU's {what} with PCC, PCC-MSE and MAPE are mostly similar to those with MSE.",
            "002 section 6.3.3, figure 6.6",
            Every(
                tuple(
                    Beats(places(one, ALL, STUDY), places(other, ALL, STUDY), measure, "flat", factor=SIMILAR)
                    for loss in LOSSES
                    if loss != "MSE"
                    for one, other in itertools.permutations((f"{MODIFIED}, {loss}", f"{MODIFIED}, MSE"))
                )
            ),
        )
        for name, what, measure in MEASURES
    ),
    Claim(
        "002-s6.3-nru-losses", "Which loss is used makes no difference to the NRU's success.",
        "002 section 6.3.3, figure 6.7",
        Every(tuple(alike(STUDY, "NRU, MSE", f"NRU, {loss}") for loss in LOSSES if loss != "MSE")),
    ),
    Claim(
        "002-s6.3-nmru-losses",
        "With every loss the NMRU divides reasonably well: on most ranges in half of all runs or more.",
        "002 section 6.3.3, figure 6.8",
        Every(
            tuple(
                CountOf(
                    places(f"NMRU, {loss}", ALL, STUDY), below_half, "a success rate below one half", 4,
                    at_most=True, threshold="flat",
                )
                for loss in LOSSES
            )
        ),
    ),
    Claim(
        "002-s6.3-others-large",
        "Over all losses Real NPU and NRU, unlike the NMRU, divide less often on U[−2, 2) than on "
        "U[−20, −10).",
        "002 section 6.3.3, figure 6.8",
        Every(
            tuple(
                Beats(over_losses(unit, "[-20, -10)"), over_losses(unit, "[-2, 2)"), threshold="flat")
                for unit in (MODIFIED, "NRU")
            )
        ),
    ),
)  # fmt: skip
