"""Claims of 002 section 6.3.3 on losses other than the mean squared error, in division by single units."""

from __future__ import annotations

from nalm.studies.claims import Claim
from nalm.studies.ledger.division_places import ALL, MODIFIED, NEGATIVE, POSITIVE, alike, always, at, places
from nalm.studies.losses import DIVISION_LOSS, LOSSES
from nalm.studies.rules import Beats, Every
from nalm.studies.rules_pooled import Best

STUDY = DIVISION_LOSS.name


def _at_least_as_good(unit: str, first: str, others: tuple[str, ...], labels: tuple[str, ...]) -> Best:
    """With no other of these losses the unit succeeds in a larger share of the runs on these ranges."""
    groups = tuple((loss, places(f"{unit}, {loss}", labels, STUDY)) for loss in (first, *others))
    return Best(groups, "flat")


CLAIMS = (
    Claim(
        "002-s6.3-real-npu-mixed",
        "On U[−2, 2) the Real NPU succeeds with PCC, PCC-MSE and MAPE more often than with MSE.",
        "002 section 6.3.3, figure 6.6",
        Every(
            tuple(
                Beats(
                    at(f"{MODIFIED}, {loss}", "[-2, 2)", STUDY), at(f"{MODIFIED}, MSE", "[-2, 2)", STUDY)
                )
                for loss in LOSSES
                if loss != "MSE"
            )
        ),
    ),
    Claim(
        "002-s6.3-real-npu-negative",
        "On negative ranges PCC and MAPE reduce the Real NPU's success, compared with MSE.",
        "002 section 6.3.3, figure 6.6", _at_least_as_good(MODIFIED, "MSE", ("PCC", "MAPE"), NEGATIVE),
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
        "002-s6.3-nmru-pcc-mse", "Of the four losses the PCC-MSE serves the NMRU worst.",
        "002 section 6.3.3, figure 6.8",
        Every(
            tuple(
                _at_least_as_good("NMRU", loss, ("PCC-MSE",), ALL)
                for loss in LOSSES
                if loss != "PCC-MSE"
            )
        ),
    ),
)  # fmt: skip
