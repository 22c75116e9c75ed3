"""Noise against wrong solutions of multiplication (002 chapter 4): on inputs, on weights, on gradients."""

from __future__ import annotations

import dataclasses

from nalm.measuring.thresholds import FLAT, single_module_threshold
from nalm.studies.division_studies import changed, on_ranges
from nalm.studies.single_module import VARIANTS, Variant
from nalm.studies.study import Listed, Study
from nalm.studies.two_layer import LATE, NMU, TwoLayerModel, arithmetic_study, decided_by_touch
from nalm.tasks.arithmetic import RANGES, two_layer
from nalm.training.recipes import Recipe
from nalm.training.schedules import Constant

GATE_STRENGTHS = (0.0, 0.001, 0.01, 0.1, 1.0, 10.0)
"""λ of the stgNMU; the thesis finds 0.1 and less helpful."""
NOISE_SCALES = (0.01, 0.1, 1.0, 10.0)
"""η of the gradient noise; the thesis finds 10 harmful."""
NOISE_RANGES = ((0.01, 0.05), (0.1, 0.5), (1.0, 2.0), (1.0, 5.0), (5.0, 10.0), (10.0, 20.0))
"""[a, b] of the sNMU's noise."""
SHORT = dataclasses.replace(LATE, iterations=2_000_000)
"""The scripts train the sNMU for 2·10⁶ iterations and the NMU for 5·10⁶ (D35)."""
UNHELD = {"projected": False}


def multiplier(label: str) -> Variant:
    """A unit with its settings of the Single Module Task."""
    (variant,) = (v for v in VARIANTS if v.label == label and "mul" in v.operations)
    return variant


def _gated(strength: float) -> Recipe:
    return dataclasses.replace(multiplier("stgNMU").recipe, penalties=(("l0", Constant(strength)),))


def _study(name: str, title: str, source: str, *variants: Variant) -> Study:
    return Study(
        name=name,
        title=title,
        source=source,
        cells=on_ranges(variants, "mul"),
        seeds=25,
        thresholds=(("flat", lambda task: FLAT), ("adaptive", single_module_threshold)),
    )


REVERSIBLE = _study(
    "stochastic",
    "One multiplying unit: does noise that is divided out again help the NMU?",
    "002 figure 4.4",
    multiplier("NMU"),
    multiplier("sNMU"),
    changed(multiplier("sNMU"), "sNMU (batch noise)", {"noise": "batch"}),
    # As shipped, the code of these runs neither penalised nor projected the weights (D34).
    changed(multiplier("NMU"), "NMU (unheld)", UNHELD, penalties=()),
    changed(multiplier("sNMU"), "sNMU (unheld)", UNHELD, penalties=()),
)
GATES = _study(
    "stochastic-gates",
    "One multiplying unit: how strongly should stochastic gates be pulled shut?",
    "002 figure 4.5",
    multiplier("NMU"),
    *(
        dataclasses.replace(multiplier("stgNMU"), label=f"stgNMU, λ = {strength:g}", recipe=_gated(strength))
        for strength in GATE_STRENGTHS
    ),
    # The only layer of this kind in the code has no + 1 − W and starts with a spread (D11).
    dataclasses.replace(
        changed(multiplier("stgNMU"), "stgNMU (as coded)", {"identity": False, "spread": 0.01}),
        recipe=_gated(0.05),
    ),
)
GRADIENT_NOISE = _study(
    "gradient-noise",
    "One multiplying unit: does noise on the gradients help the NMU?",
    "002 figure 4.6",
    multiplier("NMU"),
    *(changed(multiplier("NMU"), f"NMU, η = {scale:g}", gradient_noise=scale) for scale in NOISE_SCALES),
)


def stochastic_model(
    label: str, variant: str = "", recipe: Recipe = SHORT, **options: object
) -> TwoLayerModel:
    """An sNMU on a NAU."""
    return TwoLayerModel(
        label, "NAU", "SNMU", Listed("SNMU", variant), recipe, second_options=tuple(options.items())
    )


SNMU = stochastic_model("sNMU U[1, 5]", "U[1,5]", noise_range=(1.0, 5.0))
BATCH = stochastic_model("sNMU batch noise", "batch noise", noise="batch")
OTHERS = tuple(
    stochastic_model(f"sNMU U[{low:g}, {high:g}]", "other noise", noise_range=(low, high))
    for low, high in NOISE_RANGES
    if (low, high) != (1.0, 5.0)
)
STGNMU = TwoLayerModel(
    "stgNMU", "NAU", "STGNMU", Listed("STGNMU"),
    # The penalty of the addition layer stays; the gates have their own.
    dataclasses.replace(LATE, penalties=(*LATE.penalties, ("l0", Constant(0.01)))),
)  # fmt: skip
NOISY = TwoLayerModel(
    "NMU, gradient noise", "NAU", "NMU", Listed("NMU", "gradient noise"),
    dataclasses.replace(LATE, gradient_noise=0.01),
)  # fmt: skip

TWO_LAYER_STOCHASTIC = arithmetic_study(
    "two-layer-stochastic",
    "× of two sums on the nine ranges: which noise helps the NMU?",
    "002 section 4.5, figures 4.7 and 4.8",
    [
        decided_by_touch(model.cell(two_layer("mul", interpolation=label)))
        for model in (NMU, SNMU, BATCH, *OTHERS, STGNMU, NOISY)
        for label in RANGES
    ],
    ["002 fig 4.7 (text)"],
    seeds=20,
)

STOCHASTIC = (REVERSIBLE, GATES, GRADIENT_NOISE, TWO_LAYER_STOCHASTIC)
