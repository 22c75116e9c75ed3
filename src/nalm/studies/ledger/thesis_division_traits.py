"""Claims of 002 sections 5.4 to 5.9 on how fast, how sparse and how robust the dividing units are."""

from __future__ import annotations

import torch

from nalm.studies.claims import Claim
from nalm.studies.ledger.division_places import (
    ALL,
    MIXED,
    MODIFIED,
    NEGATIVE,
    NORMALS,
    POSITIVE,
    always,
    at,
    better,
    pairs,
    places,
)
from nalm.studies.published_rate import PublishedRate
from nalm.studies.rules import (
    LOW,
    ByThreshold,
    Computed,
    Every,
    LargerGain,
    NearlyAll,
    SameRate,
    Tally,
    Varies,
    some_of,
)
from nalm.units.reciprocal import NRU

NARROW = ("[-1.2, -1.1)", "[1.1, 1.2)")
STRONG = 0.9
"""What "strong performance" is taken to mean."""
REDUNDANT = "division-redundant"
LOWER_RATES = ("lr 0.1", "lr 0.01", "lr 0.001")


def derivatives(x: float, weights: torch.Tensor) -> torch.Tensor:
    """Of an NRU of one input in training, by its weight: an output for every weight."""
    unit = NRU(1, len(weights)).double().train()
    unit.assign(weight=weights.reshape(-1, 1))
    output = unit(torch.tensor([[x]], dtype=torch.float64))
    (gradient,) = torch.autograd.grad(output.sum(), list(unit.parameters()))
    return gradient.flatten()


WEIGHTS = torch.linspace(-1, 1, 4001, dtype=torch.float64)
"""Every 1/2000, the scale on which an NRU's tanh rises."""
VANISHES = 1e-9
"""Derivatives of at most this are 0 but for rounding."""


def _no_gradient_at_one() -> tuple[bool, str]:
    largest = {x: float(derivatives(x, WEIGHTS).abs().max()) for x in (1.0, -1.0)}
    told = ", ".join(f"{value:.2g} at x = {x:g}" for x, value in largest.items())
    return max(largest.values()) <= VANISHES, f"largest derivative over weights in [−1, 1]: {told}"


def _no_gradient_at_zero_weight() -> tuple[bool, str]:
    none = torch.zeros(1, dtype=torch.float64)
    largest = max(float(derivatives(x, none).abs().max()) for x in (-100.0, -2.0, -0.01, 0.01, 2.0, 100.0))
    return largest <= VANISHES, f"largest derivative over six inputs: {largest:.2g}"


CLAIMS = (
    Claim(
        "002-s5.4-l1-narrow",
        "Without L1 the Real NPU does better on U[−1.2, −1.1) and U[1.1, 1.2).",
        "002 section 5.4, figure 5.4a (D20)",
        ByThreshold(
            lambda threshold: Tally(pairs("real-npu-norm", "no penalty", "L1", NARROW), 0, 0, 2, threshold)
        ),
    ),
    Claim(
        "002-s5.4-baseline-full",
        "Without clipping the Real NPU always divides on U[1, 2).",
        "002 section 5.4, figure 5.5a",
        always("no clipping", ("[1, 2)",), "real-npu-clipping"),
    ),
    Claim(
        "002-s5.5-sparse",
        "With two inputs the sparsity errors of NRU and NMRU are low.",
        "002 section 5.5, figure 5.6",
        Every(
            tuple(
                NearlyAll(places(unit, ALL), "sparsity_error", LOW, threshold="flat")
                for unit in ("NRU", "NMRU")
            )
        ),
    ),
    Claim(
        "002-s5.5-fast",
        "With two inputs NRU and NMRU are solved earlier than the modified Real NPU.",
        "002 section 5.5, figure 5.6",
        Every(tuple(better("division", unit, MODIFIED, ALL, "solved_at") for unit in ("NRU", "NMRU"))),
    ),
    Claim(
        "002-s5.5-modified-two",
        "With two inputs the modified Real NPU divides more often than the plain one.",
        "002 section 5.5, figure 5.6",
        better("division", MODIFIED, "Real NPU"),
    ),
    Claim(
        "002-s5.5-nru-rate",
        "A learning rate below 1 costs the NRU more on negative ranges than on positive ones.",
        "002 section 5.5, figure G.4",
        LargerGain(
            tuple(  # type: ignore[arg-type]
                tuple(at(rate, label, "nru-learning-rate") for rate in rates for label in NEGATIVE)
                for rates in (("lr 1",), LOWER_RATES)
            ),
            tuple(  # type: ignore[arg-type]
                tuple(at(rate, label, "nru-learning-rate") for rate in rates for label in POSITIVE)
                for rates in (("lr 1",), LOWER_RATES)
            ),
            "flat",
        ),
    ),
    Claim(
        "002-s5.5-modified-everywhere",
        "With redundant inputs the modified Real NPU divides on no range less often than the plain one.",
        "002 section 5.5, figure 5.7",
        Tally(pairs(REDUNDANT, MODIFIED, "Real NPU"), 0, None, None, "flat"),
    ),
    Claim(
        "002-s5.5-modified-exception",
        "With redundant inputs on U[10, 20) the plain Real NPU is sparser than the modified one.",
        "002 section 5.5, figure 5.7",
        better(REDUNDANT, "Real NPU", MODIFIED, ("[10, 20)",), "sparsity_error"),
    ),
    Claim(
        "002-s5.5-nru-most",
        "Redundant inputs cost the NRU more success than the modified Real NPU and the NMRU.",
        "002 section 5.5, figures 5.6 and 5.7",
        Every(
            tuple(
                LargerGain(
                    (places("NRU", ALL), places("NRU", ALL, REDUNDANT)),
                    (places(other, ALL), places(other, ALL, REDUNDANT)),
                    "flat",
                )
                for other in (MODIFIED, "NMRU")
            )
        ),
    ),
    Claim(
        "002-s5.5-only-nmru",
        "With redundant inputs one unit of four has any success on U[−2, 2).",
        "002 section 5.5, figure 5.7",
        some_of(
            tuple(at(unit, "[-2, 2)", REDUNDANT) for unit in ("NMRU", MODIFIED, "Real NPU", "NRU")), 1, "flat"
        ),
    ),
    Claim(
        "002-s5.6-swap",
        "On mixed signs the NRU divides more often than the modified Real NPU with two inputs, less often "
        "with redundant ones.",
        "002 section 5.6, figures 5.8 and 5.9",
        Every((better("division", "NRU", MODIFIED, MIXED), better(REDUNDANT, MODIFIED, "NRU", MIXED))),
    ),
    Claim(
        "002-s5.6-nmru-strong",
        "With redundant inputs the NMRU divides every set of mixed signs in 90 % or more.",
        "002 section 5.6, figure 5.9",
        Every(
            tuple(
                SameRate(at("NMRU", label, REDUNDANT), PublishedRate(STRONG, ">=", "text", "flat", 25))
                for label in MIXED
            )
        ),
    ),
    Claim(
        "002-s5.7-nmru-varies",
        "With redundant inputs the NMRU's success at truncated normals depends on their mean.",
        "002 section 5.7",
        Varies(places("NMRU", NORMALS, REDUNDANT), "flat"),
    ),
    Claim(
        "002-s5.9-gradient-ones",
        "An NRU's derivative by a weight is 0 for inputs of 1 and −1, whatever the weight.",
        "002 section 5.9, equation 5.3",
        Computed(_no_gradient_at_one, "the derivative of an NRU of one input at 4,001 weights"),
    ),
    Claim(
        "002-s5.9-gradient-zero",
        "An NRU's derivative by a weight of 0 is 0 for every input.",
        "002 section 5.9, equation 5.3",
        Computed(_no_gradient_at_zero_weight, "the derivative of an NRU of one input at a weight of 0"),
    ),
)
