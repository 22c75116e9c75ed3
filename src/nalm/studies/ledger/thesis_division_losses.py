"""Claims of 002 section 6.3.3 on losses other than the mean squared error, in division by single units."""

from __future__ import annotations

from nalm.studies.claims import Claim
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
from nalm.studies.losses import DIVISION_LOSS, LOSSES
from nalm.studies.rules import Best, CountOf, Every, not_always

STUDY = DIVISION_LOSS.name
NEAR_FULL = 0.9
"""What "near full success" is taken to mean."""

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
                (label, tuple(at(f"NMRU, {loss}", label, STUDY) for loss in LOSSES))
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
)  # fmt: skip
