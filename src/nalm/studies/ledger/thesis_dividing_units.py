"""Claims of 002 sections 5.4 and 5.9 and appendix G on the parts and settings of the dividing units."""

from __future__ import annotations

from nalm.studies.claims import Claim
from nalm.studies.ledger.division_places import (
    ALL,
    MODIFIED,
    WIDE,
    alike,
    always,
    at,
    by_threshold,
    not_beaten,
    pairs,
    places,
    some,
)
from nalm.studies.rules import Beats, CountOf, Every, none
from nalm.studies.rules_tally import Tally

CLAIMS = (
    Claim(
        "002-s5.4-l1-needed", "Without L1 the Real NPU improves on no range but ±[1.1, 1.2).",
        "002 section 5.4, figure 5.4a", not_beaten("real-npu-norm", "L1", "no penalty", WIDE),
    ),
    Claim(
        "002-s5.4-l1-strength",
        "L1 from 10⁻⁹ to 10⁻⁷ is beaten on no range by a stronger one from 10⁻³ on.",
        "002 section 5.4, figure 5.4b",
        Every(
            tuple(
                not_beaten("real-npu-norm-strength", "L1 1e-09 to 1e-07", other)
                for other in ("L1 0.001 to 0.1", "L1 0.1 to 10")
            )
        ),
    ),
    Claim(
        "002-s5.4-clipping", "Clipping exponents and gates is beaten by no clipping on no range.",
        "002 section 5.4, figure 5.5a", not_beaten("real-npu-clipping", "clip wg", "no clipping"),
    ),
    *by_threshold(
        "002-s5.4-clipping-mixed", "On U[−2, 2) the Real NPU always fails, whatever is clipped",
        "002 section 5.4, figure 5.5a",
        lambda threshold: Every(
            tuple(
                none(at(unit, "[-2, 2)", "real-npu-clipping"), threshold=threshold)
                for unit in ("no clipping", "clip g", "clip w", "clip wg")
            )
        ),
    ),
    Claim(
        "002-s5.4-discretisation", "Discretising both parts is beaten by not discretising on no range.",
        "002 section 5.4, figure 5.5b",
        not_beaten("real-npu-discretisation", "discretise wg", "no discretisation"),
    ),
    Claim(
        "002-s5.4-initialisation", "The constrained start is beaten by Xavier's on no range.",
        "002 section 5.4, figure 5.5c", not_beaten("real-npu-initialisation", "constrained", "Xavier"),
    ),
    *by_threshold(
        "002-s5.4-l1-counts", "Without L1 the Real NPU does worse on five ranges and better on two",
        "002 section 5.4, figure 5.4a",
        lambda threshold: Tally(pairs("real-npu-norm", "no penalty", "L1"), 5, 2, 2, threshold),
    ),
    *by_threshold(
        "002-g3-l2-counts", "L2 does worse than L1 on five ranges and the same on four",
        "002 appendix G.3, figure G.2",
        lambda threshold: Tally(pairs("real-npu-norm", "L2", "L1"), 5, 4, 0, threshold),
    ),
    Claim(
        "002-g3-l2", "L2 beats L1 on no range.",
        "002 appendix G.3, figure G.2", not_beaten("real-npu-norm", "L1", "L2"),
    ),
    Claim(
        "002-g3-learning-rate", "For the modified Real NPU no learning rate beats 5·10⁻³ on any range.",
        "002 appendix G.3, figure G.3",
        Every(
            tuple(
                not_beaten("real-npu-learning-rate", "lr 0.005", f"lr {rate}")
                for rate in ("0.0005", "0.05", "0.5")
            )
        ),
    ),
    Claim(
        "002-s5.9-exponents", "Exponents that may be 0 as well as ±1 do no harm on any range.",
        "002 section 5.9, figure 5.16", not_beaten("real-npu-exponents", "{-1, 0, 1}", "{-1, 1}"),
    ),
    Claim(
        "002-g1-tanh-scale", "No tanh scale beats 1000 on any range.",
        "002 appendix G.2, figure G.1",
        Every(tuple(not_beaten("nru-tanh-scale", "scale 1000", f"scale {s}") for s in ("1", "10", "100"))),
    ),
    Claim(
        "002-g4-nru-rate", "With a learning rate of 1 the NRU always divides two numbers.",
        "002 appendix G.4, figure G.4", always("lr 1", ALL, "nru-learning-rate"),
    ),
    Claim(
        "002-g5-complex", "Imaginary exponents, projected and pulled to 0, help on no range.",
        "002 appendix G.5, figure G.5", not_beaten("npu-complex", MODIFIED, "NPU (clip and reg)"),
    ),
    Claim(
        "002-g6-both", "With sign and clipped gradients the NMRU is beaten on no range by it without either.",
        "002 appendix G.6, figure G.6", not_beaten("nmru-ablation", "gnc + sign", "neither"),
    ),
    Claim(
        "002-g6-gnc-mixed", "Clipped gradients alone always solve U[−2, 2).",
        "002 appendix G.6, figure G.6", always("gnc", ("[-2, 2)",), "nmru-ablation"),
    ),
    Claim(
        "002-g6-gating", "Gating does not help the NMRU on any range.",
        "002 appendix G.6, figure G.6", not_beaten("nmru-ablation", "gnc + sign", "gnc + sign + gating"),
    ),
    Claim(
        "002-g7-low", "A learning rate of 10⁻³ is too low for the NMRU on U[−2, 2).",
        "002 appendix G.6, figure G.7",
        Beats(
            at("lr 0.01", "[-2, 2)", "nmru-learning-rate"), at("lr 0.001", "[-2, 2)", "nmru-learning-rate")
        ),
    ),
    Claim(
        "002-g7-high", "A learning rate of 0.1 is too high for the NMRU: on several ranges it never divides.",
        "002 appendix G.6, figure G.7",
        CountOf(
            places("lr 0.1", ALL, "nmru-learning-rate"), some, "a success rate above 0", 7, at_most=True
        ),
    ),
    Claim(
        "002-g8-adam", "SGD beats Adam on no range.",
        "002 appendix G.6, figure G.8", not_beaten("nmru-optimiser", "Adam", "SGD"),
    ),
    Claim(
        "002-g9-sign", "Computing the sign apart changes nothing for the NRU.",
        "002 appendix G.7, figure G.9",
        alike("nru-sign", "NRU", "NRU (separate sign)"),
    ),
)  # fmt: skip
