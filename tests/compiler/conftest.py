"""Functions compiled and called at once, and compared with eager PyTorch."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from nalm.compiler import compile_function

Tensors = dict[str, Tensor]
Single = Callable[[Tensors], Tensors]


def compiled_call(function: Single, inputs: Tensors) -> Tensors:
    """Results [runs, …] of a function of one run, compiled."""
    example = {name: value[0] for name, value in inputs.items()}
    compiled = compile_function(lambda given, _: function(given), example)
    runs = len(next(iter(inputs.values())))
    return compiled(inputs, compiled.prepare(runs))


def eager_call(function: Single, inputs: Tensors, double: bool = False) -> Tensors:
    """The same, run by run in eager PyTorch."""
    runs = len(next(iter(inputs.values())))
    rows = []
    for run in range(runs):
        own = {name: value[run] for name, value in inputs.items()}
        if double:
            own = {name: v.double() if v.is_floating_point() else v for name, v in own.items()}
        rows.append(function(own))
    return {name: torch.stack([row[name] for row in rows]) for name in rows[0]}


@pytest.fixture
def compiled() -> Callable[[Single, Tensors], Tensors]:
    return compiled_call


@pytest.fixture
def eager() -> Callable[..., Tensors]:
    return eager_call


@pytest.fixture
def assert_agrees() -> Callable[..., None]:
    """Compiled and eager results are equally close to double precision, up to a factor."""

    def check(function: Single, inputs: Tensors, factor: float = 8.0, floor: float = 2e-6) -> None:
        ours = compiled_call(function, inputs)
        theirs = eager_call(function, inputs)
        exact = eager_call(function, inputs, double=True)
        assert ours.keys() == theirs.keys()
        for name, value in ours.items():
            assert value.shape == theirs[name].shape, name
            assert value.dtype == theirs[name].dtype, name
            if not value.is_floating_point():
                assert torch.equal(value, theirs[name]), name
                continue
            scale = exact[name].abs().amax().clamp(min=1e-3)
            far, near = ((v.double() - exact[name]).abs().amax() / scale for v in (value, theirs[name]))
            assert far <= factor * near + floor, f"{name}: {far:.1e} from double precision, eager {near:.1e}"

    return check
