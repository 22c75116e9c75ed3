"""What makes the dividing units work: one part or setting varied at a time (002 section 5.4, appendix G)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from nalm.studies.division_studies import THRESHOLDS, changed, divider, on_ranges
from nalm.studies.single_module import Variant
from nalm.studies.study import Study
from nalm.training.schedules import Staircase

BASELINE, MODIFIED = divider("Real NPU"), divider("Real NPU (modified)")
NRU, NMRU = divider("NRU", 10), divider("NMRU", 10)
MODIFIED_10 = divider("Real NPU (modified)", 10)
NORMS = ((1e-11, 1e-9), (1e-9, 1e-7), (1e-8, 1e-6), (1e-7, 1e-5), (1e-5, 1e-3), (1e-3, 1e-1), (1e-1, 10.0))
"""(start, end) of the strength of L1."""


def _study(name: str, title: str, source: str, variants: Iterable[Variant], inputs: int = 2) -> Study:
    return Study(
        name=name,
        title=title,
        source=source,
        cells=on_ranges(variants, inputs=inputs),
        seeds=25,
        thresholds=THRESHOLDS,
        usual_inputs=(inputs,),
    )


def _discretised(parts: str) -> Variant:
    """The modified Real NPU with its wide start, pulling only some parts to discrete values."""
    return changed(MODIFIED, f"discretise {parts}", {"initial": "xavier", "discretise": parts})


def _rates(variant: Variant, rates: Iterable[float]) -> tuple[Variant, ...]:
    return tuple(changed(variant, f"lr {rate:g}", learning_rate=rate) for rate in rates)


NORM = _study(
    "real-npu-norm",
    "Does the Real NPU need its L1 penalty, and would L2 do?",
    "002 figures 5.4a and G.2",
    (
        changed(BASELINE, "no penalty", penalties=()),
        changed(BASELINE, "L1"),
        changed(BASELINE, "L2", {"norm": "l2"}, penalties=(("l2", Staircase(1e-7, 1e-5)),)),
    ),
)
NORM_STRENGTH = _study(
    "real-npu-norm-strength",
    "How strong should the Real NPU's L1 penalty be?",
    "002 figure 5.4b",
    (
        changed(BASELINE, f"L1 {start:g} to {end:g}", penalties=(("l1", Staircase(start, end)),))
        for start, end in NORMS
    ),
)
CLIPPING = _study(
    "real-npu-clipping",
    "Does it help to keep the Real NPU's exponents and gates inside their ranges?",
    "002 figure 5.5a",
    (
        changed(BASELINE, "no clipping"),
        # The gate of the unit's authors, which learns wherever it is (D12).
        changed(BASELINE, "no clipping, gate straight through", {"gate_gradient": "straight-through"}),
        *(changed(BASELINE, f"clip {parts}", {"clip": parts}) for parts in ("g", "w", "wg")),
    ),
)
DISCRETISATION = _study(
    "real-npu-discretisation",
    "Does it help to pull the Real NPU's exponents and gates to discrete values?",
    "002 figure 5.5b",
    (changed(BASELINE, "no discretisation", {"clip": "wg"}), _discretised("g"), _discretised("wg")),
)
INITIALISATION = _study(
    "real-npu-initialisation",
    "Does the Real NPU profit from the NAU's narrower start?",
    "002 figure 5.5c",
    (
        changed(MODIFIED, "Xavier", {"initial": "xavier"}),
        changed(MODIFIED, "constrained"),
    ),
)
REAL_NPU_RATES = _study(
    "real-npu-learning-rate",
    "Which learning rate suits the modified Real NPU?",
    "002 figure G.3",
    _rates(MODIFIED, (5e-4, 5e-3, 5e-2, 5e-1)),
)
EXPONENTS = _study(
    "real-npu-exponents",
    "With redundant inputs: should exponents be pulled to {−1, 1} or to {−1, 0, 1}?",
    "002 figure 5.16",
    (
        changed(MODIFIED_10, "{-1, 1}"),
        changed(MODIFIED_10, "{-1, 0, 1}", {"exponents": "ternary"}),
    ),
    inputs=10,
)
COMPLEX = _study(
    "npu-complex",
    "With redundant inputs: do imaginary exponents help, free or pulled to 0?",
    "002 figure G.5",
    (
        changed(MODIFIED_10, "Real NPU (modified)"),
        dataclasses.replace(MODIFIED_10, label="NPU (no constraints)", unit="NPU", published_as=""),
        dataclasses.replace(
            changed(MODIFIED_10, "NPU (clip and reg)", {"clip": "wig", "discretise": "wig"}),
            unit="NPU",
            published_as="",
        ),
    ),
    inputs=10,
)
TANH_SCALE = _study(
    "nru-tanh-scale",
    "How steep must the NRU's stand-in for |W| be?",
    "002 figure G.1",
    (
        *(changed(divider("NRU"), f"scale {s:g}", {"tanh_scale": s}) for s in (1.0, 10.0, 100.0)),
        changed(divider("NRU"), "scale 1000"),
    ),
)
NRU_RATES = _study(
    "nru-learning-rate",
    "Which learning rate suits the NRU?",
    "002 figure G.4",
    _rates(divider("NRU"), (1e-3, 1e-2, 1e-1, 1.0)),
)
NRU_SIGN = _study(
    "nru-sign",
    "With redundant inputs: does an NRU profit from computing the sign apart?",
    "002 figure G.9",
    (changed(NRU, "NRU"), changed(NRU, "NRU (separate sign)", {"sign": "separate"})),
    inputs=10,
)
NMRU_ABLATION = _study(
    "nmru-ablation",
    "With redundant inputs: which of sign, clipped gradient norm and gating does the NMRU need?",
    "002 figure G.6",
    (
        changed(NMRU, "neither", {"sign": False}, clip_norm=None),
        changed(NMRU, "gnc", {"sign": False}),
        changed(NMRU, "sign", clip_norm=None),
        changed(NMRU, "gnc + sign"),
        # The published code pulls weights with a strength of 10 and gates with one of 1.
        changed(NMRU, "gnc + sign + gating", {"gated": True, "gate_pull": 0.1}),
    ),
    inputs=10,
)
NMRU_RATES = _study(
    "nmru-learning-rate",
    "With redundant inputs: which learning rate suits the NMRU?",
    "002 figure G.7",
    _rates(NMRU, (1e-3, 1e-2, 1e-1)),
    inputs=10,
)
NMRU_OPTIMISER = _study(
    "nmru-optimiser",
    "With redundant inputs: does the NMRU need Adam?",
    "002 figure G.8",
    (changed(NMRU, "Adam"), changed(NMRU, "SGD", optimiser="sgd")),
    inputs=10,
)

ABLATIONS = (
    NORM, NORM_STRENGTH, CLIPPING, DISCRETISATION, INITIALISATION, REAL_NPU_RATES, EXPONENTS, COMPLEX,
    TANH_SCALE, NRU_RATES, NRU_SIGN, NMRU_ABLATION, NMRU_RATES, NMRU_OPTIMISER,
)  # fmt: skip
