"""Thresholds against the values of the reference implementations, and closed forms against simulations."""

import pytest
import torch
from torch import nn

from nalm.measuring.thresholds import gold_threshold, single_module_threshold, two_layer_threshold
from nalm.tasks import (
    RANGES,
    Benford,
    Halves,
    TruncatedNormal,
    Uniform,
    Union,
    single_module,
    ten_parameter,
    two_layer,
)

MIRRORED = Union(Uniform(-6, -2), Uniform(2, 6))

SINGLE_MODULE = {
    "[-20, -10)": (3.667e-7, 3.484e-4, 4.667e-10, 9.033e-6, 9.003e-4),
    "[10, 20)": (3.667e-7, 3.484e-4, 4.667e-10, 9.033e-6, 9.003e-4),
    "[-2, -1)": (6.667e-9, 1.202e-7, 5.778e-10, 1.613e-7, 1.601e-5),
    "[1, 2)": (6.667e-9, 1.202e-7, 5.778e-10, 1.613e-7, 1.601e-5),
    "[-2, 2)": (6.667e-9, 1.202e-7, 5.778e-10, 1.613e-7, 1.601e-5),
    "[-1.2, -1.1)": (5.729e-9, 9.392e-8, 8.373e-10, 1.352e-7, 1.334e-5),
    "[-0.2, -0.1)": (5.380e-10, 8.762e-10, 1.480e-9, 1.237e-8, 1.213e-6),
    "[0.1, 0.2)": (5.380e-10, 8.762e-10, 1.480e-9, 1.237e-8, 1.213e-6),
    "[1.1, 1.2)": (5.568e-9, 8.856e-8, 8.267e-10, 1.315e-7, 1.298e-5),
}


@pytest.mark.parametrize("label", RANGES)
def test_single_module_table(label):
    add, mul, div, add_10, add_100 = SINGLE_MODULE[label]
    values = {
        ("add", 2): add,
        ("sub", 2): add,
        ("mul", 2): mul,
        ("div", 2): div,
        ("add", 10): add_10,
        ("sub", 100): add_100,
    }
    for (operation, inputs), expected in values.items():
        task = single_module(operation, inputs, interpolation=label)
        assert single_module_threshold(task) == pytest.approx(expected, rel=5e-4)


def test_threshold_grows_with_the_square_of_epsilon():
    task = single_module("mul")
    assert single_module_threshold(task, 1e-4) / single_module_threshold(task, 1e-5) == pytest.approx(
        100, rel=1e-4
    )


@pytest.mark.parametrize(
    ("operation", "inputs", "test"),
    [
        ("mul", 10, MIRRORED),
        ("div", 10, Uniform(2, 6)),
        ("mul", 100, Uniform(-0.5, 2)),
        ("sub", 10, TruncatedNormal(10, 3, 5, 15)),
        ("div", 2, TruncatedNormal(10, 3, 5, 15)),
        ("div", 2, Benford(100, 1000)),
        ("div", 10, Halves(Uniform(-6, -2), Uniform(1, 3))),
    ],
    ids=str,
)
def test_single_module_closed_forms_match_the_simulation(operation, inputs, test):
    task = single_module(operation, inputs, Uniform(1, 2), test)
    simulated = single_module_threshold(task, method="simulated", samples=100_000)
    assert single_module_threshold(task) == pytest.approx(simulated, rel=0.02)


PUBLISHED_TWO_LAYER = [
    (two_layer("add"), 1.478491e-5),
    (two_layer("sub"), 1.385456e-8),
    (two_layer("mul"), 0.1600523),
    (two_layer("squared"), 0.1594659),
    (ten_parameter("add"), 2.667213e-8),
    (ten_parameter("sub"), 2.664489e-8),
    (ten_parameter("mul"), 2.156985e-6),
    *(
        (two_layer("mul", inputs), threshold)
        for inputs, threshold in {
            4: 7.104472e-8,
            10: 1.509633e-5,
            25: 6.143441e-4,
            50: 0.01003006,
            75: 0.05082484,
            125: 0.3911843,
            150: 0.8116497,
            175: 1.503245,
            200: 2.562344,
            225: 4.104741,
            250: 6.257641,
            275: 9.161828,
            300: 12.97018,
        }.items()
    ),
    *(
        (two_layer("mul", overlap_ratio=ratio), threshold)
        for ratio, threshold in {
            0: 0.1605301,
            0.1: 0.1604517,
            0.25: 0.1602856,
            0.75: 0.1597992,
            1: 0.1594865,
        }.items()
    ),
    *(
        (two_layer("mul", subset_ratio=ratio), threshold)
        for ratio, threshold in {0.05: 0.0288477, 0.1: 0.0758187, 0.5: 0.002221438}.items()
    ),
    *(
        (two_layer("mul", interpolation=label), threshold)
        for label, threshold in {
            "[-20, -10)": 505.3839,
            "[-2, -1)": 0.1600194,
            "[-1.2, -1.1)": 0.1112738,
            "[-0.2, -0.1)": 9.203670e-4,
            "[-2, 2)": 2.307160e-4,
            "[0.1, 0.2)": 9.199843e-4,
            "[1.1, 1.2)": 0.1052692,
            "[10, 20)": 505.3424,
        }.items()
    ),
    (two_layer("mul", interpolation=Uniform(0, 1), extrapolation=Uniform(1, 5)), 0.05075860),
]


@pytest.mark.parametrize(("task", "threshold"), PUBLISHED_TWO_LAYER)
def test_two_layer_tables_with_the_published_slip(task, threshold):
    """Published values are simulations of 10⁶ samples: theirs scatter, ours are exact."""
    assert two_layer_threshold(task, statistics="published") == pytest.approx(threshold, rel=3e-3)


@pytest.mark.parametrize(("operation", "threshold"), [("div", 4.954759e-12), ("root", 8.952961e-9)])
def test_simulated_two_layer_thresholds_with_the_published_slip(operation, threshold):
    simulated = two_layer_threshold(two_layer(operation), statistics="published", samples=100_000)
    assert simulated == pytest.approx(threshold, rel=0.02)


@pytest.mark.parametrize(
    ("task", "threshold"),
    [
        (two_layer("mul"), 0.16052),
        (two_layer("add"), 1.604e-5),
        (two_layer("sub"), 1.387e-8),
        (two_layer("squared"), 0.15999),
        (two_layer("mul", subset_ratio=0.05), 0.0210),
        (two_layer("mul", inputs=4), 4.8e-7),
    ],
)
def test_correct_two_layer_thresholds(task, threshold):
    assert two_layer_threshold(task) == pytest.approx(threshold, rel=1e-3)


def test_two_layer_closed_forms_match_the_simulation():
    for operation in ("add", "mul"):
        for test in (MIRRORED, Benford(10, 100)):
            task = two_layer(operation, 20, Uniform(1, 2), test)
            simulated = two_layer_threshold(task, method="simulated", samples=100_000)
            assert two_layer_threshold(task) == pytest.approx(simulated, rel=0.03)


def test_what_has_no_threshold_is_refused():
    with pytest.raises(ValueError, match="two_layer_threshold"):
        single_module_threshold(two_layer("add"))
    with pytest.raises(ValueError, match="defined for 'root'"):
        single_module_threshold(single_module("root"))
    with pytest.raises(ValueError, match="gold_threshold"):
        single_module_threshold(single_module("div", 2, Uniform(0, 1), Uniform(0, 1)))
    with pytest.raises(ValueError, match="simulated"):
        two_layer_threshold(two_layer("div"), method="exact")
    with pytest.raises(ValueError, match="multiple of 10000"):
        two_layer_threshold(two_layer("div"), samples=123)


class Power(nn.Module):
    """The NRU's product of powers; unselected inputs turn into 1."""

    def __init__(self, *weights):
        super().__init__()
        self.w = torch.tensor(weights)

    def forward(self, x):
        used = self.w.abs()
        return (torch.sign(x) * x.abs() ** self.w * used + (1 - used)).prod(-1, keepdim=True)


class Reciprocals(nn.Module):
    """The NMRU's product over inputs and their reciprocals, in the reference's order of operations."""

    def __init__(self, *weights):
        super().__init__()
        self.w = torch.tensor(weights)

    def forward(self, x):
        z = torch.cat([x, 1 / x], dim=-1)
        return (self.w * z + 1 - self.w).prod(-1, keepdim=True)


GOLD = {
    "easy": ("reciprocal", 1, Power(-1.0), Reciprocals(0.0, 1.0)),
    "medium": ("reciprocal", 2, Power(-1.0, 0.0), Reciprocals(0.0, 0.0, 1.0, 0.0)),
    "hard": ("div", 2, Power(1.0, -1.0), Reciprocals(1.0, 0.0, 0.0, 1.0)),
}
GOLD_THRESHOLDS = {
    1e-4: {
        "easy": (8.67384e-4, 3.66919e-3),
        "medium": (8.08007e-4, 2.80800e-3),
        "hard": (1.192188e-7, 3.27290e-2),
    },
    1e-3: {
        "easy": (4.25620e-5, 4.19709e-5),
        "medium": (9.26807e-6, 9.26809e-6),
        "hard": (1.192417e-7, 8.96773e-5),
    },
    1e-2: {
        "easy": (3.63678e-7, 3.63525e-7),
        "medium": (1.75975e-7, 1.75975e-7),
        "hard": (1.192301e-7, 5.59154e-7),
    },
    0.1: {
        "easy": (1.20648e-7, 1.20648e-7),
        "medium": (1.26298e-7, 1.26299e-7),
        "hard": (1.192300e-7, 1.37356e-7),
    },
    1.0: {
        "easy": (1.19255e-7, 1.19255e-7),
        "medium": (1.19243e-7, 1.19243e-7),
        "hard": (1.192308e-7, 1.19228e-7),
    },
}


@pytest.mark.parametrize("bound", GOLD_THRESHOLDS)
@pytest.mark.parametrize("level", GOLD)
def test_gold_thresholds_of_dividing_by_small_numbers(bound, level):
    operation, inputs, *models = GOLD[level]
    small = Uniform(0, bound)
    task = single_module(operation, inputs, small, small)
    for model, expected in zip(models, GOLD_THRESHOLDS[bound][level], strict=True):
        assert gold_threshold(model, task) == pytest.approx(expected, rel=1e-4)
