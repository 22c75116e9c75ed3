"""Claims of 002 sections 5.4 and 5.9 and appendix G on the parts and settings of the dividing units."""

from __future__ import annotations

from nalm.studies.claims import Claim
from nalm.studies.division_ablations import NMRU_ABLATION, NORM_STRENGTH
from nalm.studies.ledger.division_places import (
    ALL,
    MODIFIED,
    NEGATIVE,
    POSITIVE,
    WIDE,
    alike,
    always,
    at,
    best,
    better,
    never,
    not_better,
    pairs,
    places,
)
from nalm.studies.rules import (
    NONE,
    Beats,
    ByThreshold,
    CountOf,
    Every,
    NearlyAll,
    Tally,
    every,
    none,
    not_always,
    some,
)

STRENGTH = "L1 1e-09 to 1e-07"
"""The penalty of the published Real NPU when it divides."""
STRENGTHS = tuple(dict.fromkeys(cell.unit for cell in NORM_STRENGTH.cells))
STRONGER = STRENGTHS[STRENGTHS.index(STRENGTH) + 1 :]
ABLATED_NMRU = tuple(at(cell.unit, cell.label, "nmru-ablation") for cell in NMRU_ABLATION.cells)
ABOUT_50_000 = 55_000
"""What "approximately 50,000" iterations are taken to be, at most."""

CLAIMS = (
    Claim(
        "002-s5.4-l1-needed", "Without L1 the Real NPU improves on no range but ±[1.1, 1.2).",
        "002 section 5.4, figure 5.4a", not_better("real-npu-norm", "L1", "no penalty", WIDE),
    ),
    Claim(
        "002-s5.4-l1-counts", "Without L1 the Real NPU does worse on five ranges and better on two.",
        "002 section 5.4, figure 5.4a (D20)",
        ByThreshold(lambda threshold: Tally(pairs("real-npu-norm", "no penalty", "L1"), 5, 2, 2, threshold)),
    ),
    Claim(
        "002-s5.4-l1-best", "Of all strengths of L1, 10⁻⁹ to 10⁻⁷ is the most successful over all ranges.",
        "002 section 5.4, figure 5.4b",
        best("real-npu-norm-strength", STRENGTH, (s for s in STRENGTHS if s != STRENGTH)),
    ),
    Claim(
        "002-s5.4-l1-strength", "Stronger L1 than 10⁻⁹ to 10⁻⁷ performs worse.",
        "002 section 5.4, figure 5.4b",
        Every(tuple(better("real-npu-norm-strength", STRENGTH, other) for other in STRONGER)),
    ),
    Claim(
        "002-s5.4-clipping", "Clipping exponents and gates improves the Real NPU.",
        "002 section 5.4, figure 5.5a", better("real-npu-clipping", "clip wg", "no clipping"),
    ),
    *(
        Claim(
            f"002-s5.4-clipping-counts-{parts}",
            f"Clipping {what} improves the Real NPU on all ranges but U[1, 2) and U[−2, 2).",
            "002 section 5.4, figure 5.5a (D20)",
            ByThreshold(
                lambda threshold, unit=f"clip {parts}": Tally(  # type: ignore[misc]
                    pairs("real-npu-clipping", unit, "no clipping"), 0, 2, 7, threshold
                )
            ),
        )
        for parts, what in (("w", "exponents"), ("wg", "exponents and gates"))
    ),
    Claim(
        "002-s5.4-clipping-mixed", "On U[−2, 2) the Real NPU always fails, whatever is clipped.",
        "002 section 5.4, figure 5.5a (D20)",
        ByThreshold(
            lambda threshold: Every(
                tuple(
                    none(at(unit, "[-2, 2)", "real-npu-clipping"), threshold=threshold)
                    for unit in ("no clipping", "clip g", "clip w", "clip wg")
                )
            )
        ),
    ),
    Claim(
        "002-s5.4-discretisation-gate", "Discretising the gate improves on not discretising.",
        "002 section 5.4, figure 5.5b",
        better("real-npu-discretisation", "discretise g", "no discretisation"),
    ),
    Claim(
        "002-s5.4-discretisation", "Discretising the exponents as well improves further.",
        "002 section 5.4, figure 5.5b", better("real-npu-discretisation", "discretise wg", "discretise g"),
    ),
    Claim(
        "002-s5.4-initialisation", "The constrained start improves on Xavier's.",
        "002 section 5.4, figure 5.5c", better("real-npu-initialisation", "constrained", "Xavier"),
    ),
    Claim(
        "002-g3-l2-counts", "L2 does worse than L1 on five ranges and the same on four.",
        "002 appendix G.3, figure G.2 (D20)",
        ByThreshold(lambda threshold: Tally(pairs("real-npu-norm", "L2", "L1"), 5, 4, 0, threshold)),
    ),
    Claim(
        "002-g3-l2-none-counts", "L2 does worse than no penalty on three ranges, better on "
        "three, the same on three.",
        "002 appendix G.3, figure G.2 (D20)",
        ByThreshold(lambda threshold: Tally(pairs("real-npu-norm", "L2", "no penalty"), 3, 3, 3, threshold)),
    ),
    Claim(
        "002-g3-l2", "L1 does better than L2.",
        "002 section 5.4, footnote 1", better("real-npu-norm", "L1", "L2"),
    ),
    Claim(
        "002-g3-learning-rate", "For the modified Real NPU a learning rate of 5·10⁻³ is the best "
        "over all ranges.",
        "002 appendix G.3, figure G.3",
        best("real-npu-learning-rate", "lr 0.005", ("lr 0.0005", "lr 0.05", "lr 0.5")),
    ),
    Claim(
        "002-s5.9-exponents", "Exponents that may be 0 as well as ±1 cost no success on any range.",
        "002 section 5.9, figure 5.16", not_better("real-npu-exponents", "{-1, 0, 1}", "{-1, 1}"),
    ),
    Claim(
        "002-g1-tanh-scale", "A tanh scale of 1000 is the best.",
        "002 appendix G.2, figure G.1",
        best("nru-tanh-scale", "scale 1000", ("scale 1", "scale 10", "scale 100")),
    ),
    Claim(
        "002-g1-larger", "Larger tanh scales work better: 10 than 1, 100 than 10, 1000 than 100.",
        "002 appendix G.2, figure G.1",
        Every(
            tuple(
                better("nru-tanh-scale", f"scale {10 * scale}", f"scale {scale}") for scale in (1, 10, 100)
            )
        ),
    ),
    Claim(
        "002-g4-nru-rate", "With a learning rate of 1 the NRU always divides two numbers.",
        "002 appendix G.4, figure G.4", always("lr 1", ALL, "nru-learning-rate"),
    ),
    Claim(
        "002-g4-deteriorates", "The NRU does worse the lower its learning rate is.",
        "002 appendix G.4, figure G.4",
        Every(
            tuple(
                better("nru-learning-rate", high, low)
                for high, low in (("lr 1", "lr 0.1"), ("lr 0.1", "lr 0.01"), ("lr 0.01", "lr 0.001"))
            )
        ),
    ),
    Claim(
        "002-g5-complex", "Imaginary exponents, projected and pulled to 0, help on no range.",
        "002 appendix G.5, figure G.5", not_better("npu-complex", MODIFIED, "NPU (clip and reg)"),
    ),
    Claim(
        "002-g5-free", "Free imaginary exponents cost success on negative ranges.",
        "002 appendix G.5, figure G.5", better("npu-complex", MODIFIED, "NPU (no constraints)", NEGATIVE),
    ),
    Claim(
        "002-g5-free-slow", "Free imaginary exponents are slower on negative ranges.",
        "002 appendix G.5, figure G.5",
        better("npu-complex", MODIFIED, "NPU (no constraints)", NEGATIVE, "solved_at"),
    ),
    Claim(
        "002-g6-neither", "The NMRU does worse without sign and clipped gradients.",
        "002 appendix G.6, figure G.6", better("nmru-ablation", "gnc + sign", "neither"),
    ),
    Claim(
        "002-g6-both", "Sign and clipped gradients together gain more than either alone.",
        "002 appendix G.6, figure G.6", best("nmru-ablation", "gnc + sign", ("gnc", "sign", "neither")),
    ),
    Claim(
        "002-g6-gnc-negative", "Clipped gradients alone never solve negative ranges.",
        "002 appendix G.6, figure G.6", never("gnc", NEGATIVE, "nmru-ablation"),
    ),
    Claim(
        "002-g6-gnc-mixed", "Clipped gradients alone always solve U[−2, 2).",
        "002 appendix G.6, figure G.6", always("gnc", ("[-2, 2)",), "nmru-ablation"),
    ),
    Claim(
        "002-g6-sign-negative", "The sign alone gains success on negative ranges.",
        "002 appendix G.6, figure G.6", better("nmru-ablation", "sign", "neither", NEGATIVE),
    ),
    Claim(
        "002-g6-sign-mixed", "On U[−2, 2) the sign alone does worse than clipped gradients alone.",
        "002 appendix G.6, figure G.6", better("nmru-ablation", "gnc", "sign", ("[-2, 2)",)),
    ),
    Claim(
        "002-g6-neither-majority", "Without sign and clipped gradients the NMRU fails on most ranges.",
        "002 appendix G.6, figure G.6",
        CountOf(places("neither", ALL, "nmru-ablation"), every, "full success", 4, True, "flat"),
    ),
    Claim(
        "002-g6-neither-positive",
        "Without sign and clipped gradients the NMRU does not always divide positive ranges.",
        "002 appendix G.6, figure G.6",
        not_always(*places("neither", POSITIVE, "nmru-ablation"), threshold="flat"),
    ),
    Claim(
        "002-g6-solved-by",
        "Whatever is left out of the NMRU, solved runs are solved by iteration 50,000 or so.",
        "002 appendix G.6, figure G.6",
        NearlyAll(ABLATED_NMRU, "solved_at", ABOUT_50_000, threshold="flat"),
    ),
    Claim(
        "002-g6-sparse", "Whatever is left out of the NMRU, solved runs have extremely low sparsity errors.",
        "002 appendix G.6, figure G.6",
        NearlyAll(ABLATED_NMRU, "sparsity_error", NONE, threshold="flat"),
    ),
    Claim(
        "002-g6-gating", "Gating hinders the NMRU.",
        "002 appendix G.6, figure G.6", better("nmru-ablation", "gnc + sign", "gnc + sign + gating"),
    ),
    Claim(
        "002-g7-low", "A learning rate of 10⁻³ is too low for the NMRU on U[−2, 2).",
        "002 appendix G.6, figure G.7",
        Beats(
            at("lr 0.01", "[-2, 2)", "nmru-learning-rate"),
            at("lr 0.001", "[-2, 2)", "nmru-learning-rate"),
            threshold="flat",
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
        "002-g8-adam", "Adam does better than SGD on seven ranges and the same on two.",
        "002 appendix G.6, figure G.8 (D20)",
        ByThreshold(lambda threshold: Tally(pairs("nmru-optimiser", "Adam", "SGD"), 0, 2, 7, threshold)),
    ),
    Claim(
        "002-g9-sign", "Computing the sign apart changes nothing for the NRU.",
        "002 appendix G.7, figure G.9", alike("nru-sign", "NRU", "NRU (separate sign)"),
    ),
)  # fmt: skip
