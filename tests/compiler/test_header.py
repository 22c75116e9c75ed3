"""The vector functions of `lanes.h`: how far from the truth, and at the edges."""

import math

import numpy as np
import pytest
import torch

INF, NAN = math.inf, math.nan
TINY, LEAST, LARGEST = float(np.finfo(np.float32).tiny), 1e-45, float(np.finfo(np.float32).max)
EDGES = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    INF,
    -INF,
    NAN,
    TINY,
    -TINY,
    LEAST,
    -LEAST,
    LARGEST,
    -LARGEST,
    1e-20,
    88.7,
    -87.4,
]


def spread(low: float, high: float, count: int = 4000) -> torch.Tensor:
    """Numbers of all magnitudes between two bounds of the same sign, or evenly if the signs differ."""
    generator = torch.Generator().manual_seed(1)
    u = torch.rand(count, generator=generator, dtype=torch.float64)
    if low * high > 0:
        sign = math.copysign(1, low)
        a, b = sorted((math.log(abs(low)), math.log(abs(high))))
        return (sign * torch.exp(a + (b - a) * u)).float()
    return (low + (high - low) * u).float()


def units_in_last_place(found: torch.Tensor, exact: torch.Tensor) -> float:
    """The largest distance of finite values from the truth, in units of the truth's last place."""
    exact = exact.double()
    rounded = exact.float()
    spacing = torch.from_numpy(np.spacing(np.abs(rounded.numpy()).clip(min=TINY))).double()
    finite = torch.isfinite(rounded)
    assert torch.equal(torch.isfinite(found), finite)
    return float(((found.double() - exact).abs() / spacing)[finite].max())


BOUNDS = {
    "exp": (1.5, [(-103.0, 88.7), (-1e-3, 1e-3)]),
    "exp2": (1.5, [(-148.0, 127.9)]),
    "expm1": (2.5, [(-20.0, 88.0), (1e-6, 1.0), (-1.0, -1e-6)]),
    "log": (1.5, [(1e-45, 3e38), (0.5, 2.0)]),
    "log2": (2.5, [(1e-45, 3e38), (0.5, 2.0)]),
    "log10": (2.5, [(1e-45, 3e38), (0.5, 2.0)]),
    "log1p": (2.5, [(1e-10, 1e30), (-0.9999, -1e-10)]),
    "sin": (2.0, [(-3.0, 3.0), (1e-10, 1e-2)]),
    "cos": (2.0, [(-1.5, 1.5)]),
    "tanh": (2.5, [(1e-10, 20.0), (-9.0, 9.0)]),
    "sigmoid": (3.0, [(-85.0, 20.0)]),
    "sqrt": (0.51, [(1e-40, 3e38)]),
    "sinh": (4.0, [(1e-6, 85.0), (-2.0, 2.0)]),
    "cosh": (4.0, [(-85.0, 85.0)]),
    "asinh": (4.0, [(1e-6, 1e30), (-2.0, 2.0)]),
    "erf": (1.5, [(-4.0, 4.0)]),
    "atan": (3.0, [(-10.0, 10.0), (1e-10, 1e30)]),
    "asin": (3.0, [(-1.0, 1.0), (1e-10, 1e-2)]),
    "acos": (2.0, [(-1.0, 1.0), (0.99, 1.0)]),
}


def test_functions_are_as_close_as_promised(compiled) -> None:
    inputs = {
        f"{name}.{k}": spread(*bounds)[None]
        for name, (_, ranges) in BOUNDS.items()
        for k, bounds in enumerate(ranges)
    }

    def function(given):
        return {key: getattr(torch, key.split(".")[0])(value) for key, value in given.items()}

    found = compiled(function, inputs)
    for key, value in found.items():
        name = key.split(".")[0]
        exact = getattr(torch, name)(inputs[key].double())
        assert units_in_last_place(value, exact) <= BOUNDS[name][0], key


def test_angles_are_right_to_the_digits_that_a_float_has(compiled) -> None:
    """Far from 0 the error is counted in units of 1: the last places of a small sine are those of π."""
    inputs = {"x": torch.cat([spread(-8000.0, 8000.0), spread(1e4, 1e30)])[None]}
    found = compiled(lambda given: {"sin": given["x"].sin(), "cos": given["x"].cos()}, inputs)
    for name, value in found.items():
        assert float((value.double() - getattr(torch, name)(inputs["x"].double())).abs().max()) < 2e-7


def test_powers_are_rounded_nearly_right(compiled) -> None:
    x, y = spread(1e-6, 1e6), spread(-6.0, 6.0)
    found = compiled(lambda given: {"z": given["x"] ** given["y"]}, {"x": x[None], "y": y[None]})["z"][0]
    assert units_in_last_place(found, x.double() ** y.double()) <= 0.6


@pytest.mark.parametrize("name", [n for n in BOUNDS if n not in ("sinh", "cosh", "asinh")])
def test_edges_are_right(name: str, compiled) -> None:
    x = torch.tensor([EDGES])
    function = getattr(torch, name)
    found, exact = compiled(lambda given: {"y": function(given["x"])}, {"x": x})["y"], function(x.double())
    expected = exact.float()
    special = ~torch.isfinite(expected) | (expected == 0)
    assert torch.equal(found.isnan(), expected.isnan())
    assert torch.equal(found[special].nan_to_num(7.0), expected[special].nan_to_num(7.0)), (x, found)
    assert torch.allclose(found[~special].double(), exact[~special], rtol=4e-7, atol=1e-44)


def test_edges_of_powers_are_those_of_eager(compiled) -> None:
    edges = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 3.0, -3.0, INF, -INF, NAN, 2.5, -0.5]
    x, y = (t.reshape(1, -1) for t in torch.meshgrid(*[torch.tensor(edges)] * 2, indexing="ij"))
    found, expected = compiled(lambda given: {"z": given["x"] ** given["y"]}, {"x": x, "y": y})["z"], x**y
    wrong = ~((found == expected) | (found.isnan() & expected.isnan()) | torch.isclose(found, expected))
    assert not wrong.any(), list(
        zip(x[wrong].tolist(), y[wrong].tolist(), found[wrong].tolist(), strict=True)
    )


def test_a_lane_does_not_see_its_neighbours(compiled) -> None:
    """One lane far out takes another way; the others must not."""
    x = spread(-50.0, 50.0, 8)
    far = x.clone()
    far[3] = 1e20
    one, other = (compiled(lambda given: {"y": given["x"].sin()}, {"x": v})["y"] for v in (x, far))
    keep = torch.arange(8) != 3
    assert torch.equal(one[keep], other[keep])


def test_comparisons_and_choices_keep_what_is_not_a_number(compiled) -> None:
    x = torch.tensor([[NAN, 1.0, NAN, -INF]])
    y = torch.tensor([[1.0, NAN, NAN, INF]])

    def function(given):
        x, y = given["x"], given["y"]
        return {
            "maximum": torch.maximum(x, y),
            "minimum": torch.minimum(x, y),
            "clamp": x.clamp(-1, 1),
            "relu": x.relu(),
            "amax": x.abs().amax(),
        }

    found, expected = compiled(function, {"x": x, "y": y}), function({"x": x[0], "y": y[0]})
    for name, value in found.items():
        assert torch.equal(value[0].nan_to_num(7.0), expected[name].nan_to_num(7.0)), name
