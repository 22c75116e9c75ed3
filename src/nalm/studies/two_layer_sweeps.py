"""The arithmetic dataset of 001 with one thing varied at a time (001 section 4.1.3, appendix C)."""

from __future__ import annotations

import dataclasses
from typing import cast

from nalm.studies.study import Listed
from nalm.studies.two_layer import (
    EARLY,
    GATED,
    LATE,
    NAC_ADD,
    NAC_MUL,
    NAC_NMU,
    NAC_SIGMA,
    NALU,
    NAU,
    NMU,
    TwoLayerModel,
    arithmetic_study,
    decided_by_touch,
)
from nalm.tasks.arithmetic import RANGES, two_layer
from nalm.tasks.sampling import Distribution, Uniform
from nalm.training.recipes import Recipe
from nalm.training.schedules import Ramp

MULTIPLIERS = (NAC_NMU, NAC_SIGMA, NAC_MUL, NALU, NMU)
WITH_GATED = (NAC_NMU, NAC_SIGMA, NAC_MUL, GATED, NALU, NMU)

SWEPT_RANGES: tuple[tuple[Distribution, Distribution], ...] = (
    RANGES["[-2, -1)"],
    RANGES["[-2, 2)"],
    (Uniform(0.0, 1.0), Uniform(1.0, 5.0)),
    RANGES["[0.1, 0.2)"],
    RANGES["[1, 2)"],
    RANGES["[1.1, 1.2)"],
    RANGES["[10, 20)"],
)
ITERATIONS = {
    size: millions * 1_000_000
    for millions, sizes in (
        (5, (4, 10, 25, 50, 75, 100)),
        (10, (125, 150, 175, 200)),
        (15, (225, 250, 275, 300)),
    )
    for size in sizes
}
"""Input size to iterations; of the longer runs only the last 5·10⁶ iterations are eligible for selection."""
OPTIMISERS = (("Adam", "adam"), ("SGD", "sgd"), ("SGD with momentum", "momentum"))
"""The record's name and ours; the published "Nesterov" is plain momentum (D14)."""


def strength(recipe: Recipe, value: float) -> Recipe:
    """The same recipe with another strength of its sparsity penalty."""
    ((term, schedule),) = recipe.penalties
    ramp = dataclasses.replace(cast(Ramp, schedule), strength=value)
    return dataclasses.replace(recipe, penalties=((term, ramp),))


def decimals(value: float) -> str:
    """A ratio or strength as the record prints it.

    Example:
        >>> decimals(0.25), decimals(0), decimals(10)
        ('.25', '0', '10')
    """
    return f"{value:g}".removeprefix("0") or "0"


FREE = (("projected", False), ("forward_clamp", True))
"""The published "no W-clamp": no projection, but a clamp in the forward pass (D9)."""
UNPENALISED = strength(LATE, 0.0)
ABLATED = (
    TwoLayerModel("NMU", "NAU", "NMU", Listed("NMU", setting="full"), LATE),
    TwoLayerModel("NMU, no penalty", "NAU", "NMU", Listed("NMU", setting="no penalty"), UNPENALISED),
    TwoLayerModel("NMU, no clamp", "NAU", "NMU", Listed("NMU", setting="no clamp"), LATE, FREE, FREE),
    TwoLayerModel(
        "NMU, no penalty, no clamp", "NAU", "NMU", Listed("NMU", setting="no penalty, no clamp"),
        UNPENALISED, FREE, FREE,
    ),
)  # fmt: skip
UNRECORDED = "only hidden size 2 is in the record"

HIDDEN = arithmetic_study(
    "two-layer-hidden",
    "× with 2 to 10 hidden units: who copes with redundant ones?",
    "001 section 4.1.3, figure 3",
    [
        decided_by_touch(model.cell(two_layer("mul"), f"hidden {hidden}", hidden=hidden))
        for model in MULTIPLIERS
        for hidden in range(2, 11)
    ],
    ["001 figure 3, read from its coordinates"],
    seeds=50,
    # The figure shows 30 to 38 seeds a point: the fewest give the widest interval.
    recorded_seeds=30,
)

RANGE_SWEEP = arithmetic_study(
    "two-layer-ranges",
    "× on seven input ranges: who copes with small and negative inputs?",
    "001 section 4.1.3, figure 3",
    [
        decided_by_touch(model.cell(two_layer("mul", interpolation=train, extrapolation=test)))
        for model in MULTIPLIERS
        for train, test in SWEPT_RANGES
    ],
    ["001 figure 3, read from its coordinates"],
    seeds=50,
)

ABLATION = arithmetic_study(
    "two-layer-ablation",
    "× by an NMU without its penalty or its clamp: which of them matters?",
    "001 appendix C.3, figure 7",
    [
        dataclasses.replace(
            decided_by_touch(model.cell(two_layer("mul"), f"hidden {hidden}", hidden=hidden)),
            record=model.record if hidden == 2 else model.record._replace(setting=UNRECORDED),
        )
        for model in ABLATED
        for hidden in range(2, 11)
    ],
    ["stable-nalu ablation table"],
    seeds=50,
    recorded_seeds=25,
)

INPUTS = arithmetic_study(
    "two-layer-inputs",
    "× with 4 to 300 inputs",
    "001 appendix C.4, figure 8",
    [
        decided_by_touch(
            model.cell(
                two_layer("mul", inputs=size),
                f"input {size}",
                recipe=dataclasses.replace(model.recipe, iterations=iterations),
            )
        )
        for model in WITH_GATED
        for size, iterations in ITERATIONS.items()
    ],
    ["001 figure 8, read from its coordinates"],
    seeds=50,
)

OVERLAP = arithmetic_study(
    "two-layer-overlap",
    "× of subsets that share none to all of their inputs",
    "001 appendix C.4, figure 8",
    [
        decided_by_touch(model.cell(two_layer("mul", overlap_ratio=ratio), f"overlap {decimals(ratio)}"))
        for model in WITH_GATED
        for ratio in (0, 0.1, 0.25, 0.5, 0.75, 1)
    ],
    ["001 figure 8, read from its coordinates"],
    seeds=50,
)

SUBSET = arithmetic_study(
    "two-layer-subset",
    "× of subsets of 5 to 50 of 100 inputs",
    "001 appendix C.4, figure 8",
    [
        decided_by_touch(model.cell(two_layer("mul", subset_ratio=ratio), f"subset {decimals(ratio)}"))
        for model in WITH_GATED
        for ratio in (0.05, 0.1, 0.25, 0.5)
    ],
    ["001 figure 8, read from its coordinates"],
    seeds=50,
)

PENALTY = arithmetic_study(
    "two-layer-penalty",
    "How strong should the sparsity penalty be?",
    "001 appendix C.6, figures 10 to 12",
    [
        decided_by_touch(
            model.cell(two_layer(operation), f"lambda {decimals(value)}", recipe=strength(recipe, value))
        )
        for model, operation, recipe in ((NAU, "add", EARLY), (NAU, "sub", EARLY), (NMU, "mul", LATE))
        for value in (0.0, 0.01, 0.1, 1.0, 10.0, 100.0)
    ],
    [f"001 figure {number}, read from its coordinates" for number in (10, 11, 12)],
    seeds=50,
)

OPTIMISER = arithmetic_study(
    "two-layer-optimiser",
    "Which optimiser and learning rate suit the NALU and its parts?",
    "scripts of 001: learning rate × optimiser",
    [
        model.cell(
            two_layer(operation),
            f"{name}, lr 1e{exponent}",
            recipe=dataclasses.replace(model.recipe, optimiser=optimiser, learning_rate=10.0**exponent),
        )
        for model, operations in (
            (NAC_ADD, ("add", "sub")),
            (NAC_MUL, ("mul", "div")),
            (NALU, ("add", "sub", "mul", "div")),
        )
        for operation in operations
        for name, optimiser in OPTIMISERS
        for exponent in range(-5, 0)
    ],
    ["stable-nalu optimiser figure, read from its coordinates"],
    seeds=25,
)

SWEEPS = (HIDDEN, RANGE_SWEEP, ABLATION, INPUTS, OVERLAP, SUBSET, PENALTY, OPTIMISER)
