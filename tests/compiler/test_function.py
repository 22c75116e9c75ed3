"""Measures on shared and own data."""

import pytest
import torch
from torch import Tensor

from nalm.compiler import compile_function

Tensors = dict[str, Tensor]
RUNS = 21


def measure(parameters: Tensors, data: Tensors) -> Tensors:
    difference = torch.tanh(data["x"] @ parameters["w"]) + parameters["b"] - data["y"]
    return {
        "error": difference.square().mean(),
        "worst": difference.abs().amax(),
        "size": parameters["w"].abs(),
    }


def made() -> tuple[Tensors, tuple[Tensor, Tensor], tuple[Tensor, Tensor]]:
    generator = torch.Generator().manual_seed(0)
    parameters = {"w": torch.randn(RUNS, 3, generator=generator), "b": torch.randn(RUNS, generator=generator)}
    x = torch.randn(2, 1000, 3, generator=generator), torch.arange(RUNS) % 2
    y = torch.randn(5, 1000, generator=generator), torch.arange(RUNS) % 5
    return parameters, x, y


@pytest.fixture(scope="module")
def compiled():
    parameters, (x, _), (y, _) = made()
    return compile_function(measure, {n: v[0] for n, v in parameters.items()}, {"x": x[0]}, {"y": y[0]})


def test_every_run_is_measured_on_its_own_data(compiled) -> None:
    parameters, x, y = made()
    found = compiled(parameters, compiled.prepare(RUNS, {"x": x}, {"y": y}))
    for run in range(RUNS):
        own = {name: value[run].double() for name, value in parameters.items()}
        exact = measure(own, {"x": x[0][x[1][run]].double(), "y": y[0][y[1][run]].double()})
        for name, value in exact.items():
            assert torch.allclose(found[name][run].double(), value, rtol=1e-6, atol=1e-7)
    assert found["size"].shape == (RUNS, 3)


def test_bits_do_not_depend_on_company(compiled) -> None:
    parameters, x, y = made()
    together = compiled(parameters, compiled.prepare(RUNS, {"x": x}, {"y": y}))["error"]
    some = torch.tensor([20, 3, 4])
    data = compiled.prepare(3, {"x": (x[0], x[1][some])}, {"y": (y[0], y[1][some])})
    alone = compiled({name: value[some] for name, value in parameters.items()}, data)["error"]
    assert torch.equal(alone, together[some])


def test_data_may_be_missing_altogether() -> None:
    square = compile_function(lambda given, _: {"y": given["x"].square()}, {"x": torch.tensor(1.0)})
    found = square({"x": torch.arange(10.0)}, square.prepare(10))["y"]
    assert torch.equal(found, torch.arange(10.0).square())


def test_wrong_data_is_refused(compiled) -> None:
    _, x, y = made()
    with pytest.raises(KeyError, match="y is missing"):
        compiled.prepare(RUNS, {"x": x})
    with pytest.raises(ValueError, match="x must be"):
        compiled.prepare(RUNS, {"x": (x[0][:, :10], x[1])}, {"y": y})
