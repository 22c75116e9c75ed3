"""The compiled gradient of a pooled convolution is autograd's."""

import pytest
import torch
import torch.nn.functional as F

from nalm.compiler import compiler
from nalm.networks.vision import convolve_and_pool, pooled, sparse_backward

needs_compiler = pytest.mark.skipif(compiler() is None, reason="needs a C compiler")
SHAPES = [(3, 1, 28, 20, 5), (2, 4, 9, 3, 3), (2, 5, 13, 6, 5), (1, 2, 6, 2, 3)]
"""Samples, inputs, side, outputs, kernel: sides that the pool cuts off, rows of no whole vectors."""


def arguments(n: int, inputs: int, side: int, outputs: int, kernel: int) -> list[torch.Tensor]:
    made = torch.Generator().manual_seed(0)
    shapes = ((n, inputs, side, side), (outputs, inputs, kernel, kernel), (outputs,))
    return [torch.randn(shape, generator=made).requires_grad_() for shape in shapes]


@needs_compiler
@pytest.mark.parametrize("shape", SHAPES)
def test_values_and_gradients_are_autograds(shape) -> None:
    given = arguments(*shape)
    plain = F.max_pool2d(F.conv2d(*given), 2).relu()
    with sparse_backward():
        ours = convolve_and_pool(*given)
    assert type(ours.grad_fn).__name__ == "_PooledBackward"
    torch.testing.assert_close(ours, plain)
    above = torch.randn(plain.shape, generator=torch.Generator().manual_seed(1))
    above[above < -1] = 0  # as dropout does
    for found, expected in zip(
        torch.autograd.grad(ours, given, above), torch.autograd.grad(plain, given, above), strict=True
    ):
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)


@needs_compiler
def test_no_gradient_of_pictures_is_computed_if_none_is_asked_for() -> None:
    x, weight, bias = arguments(*SHAPES[0])
    with sparse_backward():
        convolve_and_pool(x.detach(), weight, bias).sum().backward()
    assert x.grad is None
    assert weight.grad is not None


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_what_it_cannot_do_is_left_to_torch(dtype: torch.dtype) -> None:
    given = [value.detach().to(dtype).requires_grad_() for value in arguments(*SHAPES[1])]
    outside = convolve_and_pool(*given)
    assert "Pooled" not in type(outside.grad_fn).__name__
    if dtype == torch.float64:
        with sparse_backward():
            assert torch.autograd.gradcheck(convolve_and_pool, given)


def test_without_a_compiler_torch_does_it(monkeypatch) -> None:
    def nothing(*arguments):
        raise pooled.NoCompiler("none")

    monkeypatch.setattr(pooled, "Building", nothing)
    pooled._library.cache_clear()
    given = arguments(*SHAPES[1])
    with sparse_backward():
        assert "Pooled" not in type(convolve_and_pool(*given).grad_fn).__name__
    pooled._library.cache_clear()
