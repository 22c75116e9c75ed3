"""Shapes, views, folds and refusals, against eager PyTorch."""

import pytest
import torch
from torch import nn
from torch.func import functional_call

from nalm.compiler import Unsupported

RUNS = 3


def made(*shape: int) -> torch.Tensor:
    return torch.randn(RUNS, *shape, generator=torch.Generator().manual_seed(sum(shape)))


def test_views_need_no_code(assert_agrees) -> None:
    def function(given):
        x = given["x"]
        return {
            "transposed": x.transpose(0, 2) + 1,
            "expanded": x[:, :1].expand(4, 3, 5) * x,
            "flattened": x.reshape(-1)[3:50:2] * 2,
            "flipped_view": x.mT.reshape(20, 3) + 1,
            "selected": x[1, :, 2] - x[2, 1, 0],
            "unbound": sum(x.unbind(1)),
            "diagonal": torch.diagonal(x[:3, :, 0]) * 2,
            "itself": x,
            "part": x[1:3, :, ::2],
        }

    assert_agrees(function, {"x": made(4, 3, 5)})


def test_pieces_are_put_together(assert_agrees) -> None:
    def function(given):
        x, y = given["x"], given["y"]
        z = torch.cat([x, torch.zeros(2, 3), y * 2], 0)
        return {
            "cat": z,
            "inner": torch.cat([x, y[:4]], 1) * torch.cat([y[:4], x], 1),
            "stack": torch.stack([x[0], y[1], x[0] * y[0]], 1),
            "after": z[3:8] @ x.mT,
            "hstack": torch.hstack([x, x + 1]),
        }

    assert_agrees(function, {"x": made(4, 3), "y": made(5, 3)})


@pytest.mark.parametrize("shape", [(3, 4), (20, 2), (2, 30), (16, 17), (128, 3), (5,), (300,), (2, 3, 9)])
def test_folds_of_any_shape(shape: tuple[int, ...], assert_agrees) -> None:
    def function(given):
        x = given["x"]
        last = len(shape) - 1
        return {
            "sum": x.sum(),
            "sum_of_last": x.sum(last),
            "sum_of_first": x.sum(0, keepdim=True),
            "mean": x.mean(),
            "mean_of_first": x.mean(0),
            "amax": x.amax(last),
            "amin": x.amin(),
            "max": x.max(0).values,
            "prod": (1 + 0.1 * x).prod(last),
            "any": (x > 1).any(last),
            "all": (x > -1).all(),
            "count": (x > 0).sum(),
            "std": x.std(0),
            "var_mean": torch.cat([t.reshape(-1) for t in torch.var_mean(x)]),
            "norm": torch.linalg.vector_norm(x),
            "softmax": x.softmax(last),
            "logsumexp": torch.logsumexp(x, last),
        }

    assert_agrees(function, {"x": made(*shape)})


@pytest.mark.parametrize(
    ("a", "b"),
    [((2, 3), (3, 4)), ((20, 30), (30, 2)), ((1, 100), (100, 7)), ((130, 5), (5, 40)), ((3, 101), (101, 18))],
)
def test_products_of_matrices(a: tuple[int, int], b: tuple[int, int], assert_agrees) -> None:
    def function(given):
        x, y = given["x"], given["y"]
        return {
            "mm": x @ y,
            "transposed": y.mT @ x.mT,
            "mv": x @ y[:, 0],
            "einsum": torch.einsum("ij,jk->ki", x, y),
            "linear": torch.nn.functional.linear(x, y.mT, y[0]),
            "bmm": torch.bmm(x.expand(2, *x.shape), torch.stack([y, y + 1])),
        }

    assert_agrees(function, {"x": made(*a), "y": made(*b)})


def test_sums_of_many_keep_their_digits(compiled) -> None:
    x = torch.rand(RUNS, 100_000, generator=torch.Generator().manual_seed(0)) + 1
    found = compiled(lambda given: {"sum": given["x"].sum(), "mean": (given["x"] ** 2).mean()}, {"x": x})
    assert torch.allclose(found["sum"].double(), x.double().sum(1), rtol=2e-7, atol=0)
    assert torch.allclose(found["mean"].double(), (x**2).double().mean(1), rtol=2e-7, atol=0)


def test_whole_matrices_are_summed_over_many_samples(compiled) -> None:
    """The gradient of a wide layer on a long batch: arrays of sums, which carry what rounding lost."""
    x = torch.rand(RUNS, 3000, 20, generator=torch.Generator().manual_seed(0)) + 1
    found = compiled(lambda given: {"gram": given["x"].mT @ given["x"]}, {"x": x})["gram"]
    assert torch.allclose(found.double(), x.double().mT @ x.double(), rtol=3e-7, atol=0)


def test_the_first_of_the_largest_is_found(assert_agrees) -> None:
    x = made(4, 3)
    x[:, :, 1] = x[:, :, 0]
    x[1, 2, 2] = torch.nan

    def function(given):
        x = given["x"]
        return {
            "argmax": x.argmax(1),
            "argmin": x.argmin(0),
            "kept": x.argmax(1, keepdim=True),
            "of_all": x.reshape(-1)[:4].argmax(),
        }

    assert_agrees(function, {"x": x})


def test_gradients_go_through(assert_agrees) -> None:
    network = nn.Sequential(nn.Linear(3, 12), nn.Tanh(), nn.Linear(12, 2), nn.Softplus())

    def function(given):
        with torch.enable_grad():
            leaves = {k: v.detach().requires_grad_() for k, v in given.items() if k != "x"}
            out = functional_call(network.to(given["x"].dtype), leaves, (given["x"],))
            loss = (out[:, 0] * out[:, 1] + out[:, 0].clamp(min=0.7)).square().mean()
            return dict(zip(leaves, torch.autograd.grad(loss, list(leaves.values())), strict=True))

    given = {name: value.detach().expand(RUNS, *value.shape) for name, value in network.named_parameters()}
    assert_agrees(function, {**given, "x": made(40, 3)})


def test_operations_in_place_on_own_tensors(assert_agrees) -> None:
    def function(given):
        x = given["x"]
        total = torch.zeros(3)
        before = total + 1
        total += x[0]
        kept = total.clone()
        total.mul_(2).add_(x[1])
        return {"total": total, "kept": kept, "before": before, "filled": torch.empty(3).fill_(2.0) + x[0]}

    assert_agrees(function, {"x": made(2, 3)})


def test_constants_are_part_of_the_code(assert_agrees) -> None:
    table = torch.linspace(0, 1, 40).reshape(20, 2)

    def function(given):
        x = given["x"]
        return {
            "table": (table.to(x.dtype) * x).sum(0),
            "arange": torch.arange(20) * x[:, 0],
            "nothing": torch.full((3,), 2.5, dtype=x.dtype),
            "number": x * float(table.sum()),
        }

    assert_agrees(function, {"x": made(20, 2)})


def _branch(given):
    return {"y": given["x"] if given["x"].sum() > 0 else -given["x"]}


def _item(given):
    return {"y": given["x"] * given["x"][0].item()}


_OUTSIDE = torch.zeros(3)


def _mutation(given):
    _OUTSIDE.add_(1.0)
    return {"y": given["x"] + _OUTSIDE}


def _argument(given):
    given["x"].add_(1.0)
    return {"y": given["x"]}


def _part(given):
    y = given["x"].clone()
    y[0] = 2.0
    return {"y": y}


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (_branch, "Python number"),
        (_item, "Python number"),
        (_mutation, "add_"),
        (_argument, "outlives"),
        (_part, "part of a tensor"),
        (lambda given: {"y": given["x"] + torch.rand(3)}, "rand"),
        (lambda given: {"y": nn.functional.dropout(given["x"])}, "random"),
        (lambda given: {"y": given["x"].double().sum().float()}, "float64"),
        (lambda given: {"y": torch.fft.rfft(given["x"]).abs()}, "_fft_r2c"),
        (lambda given: {"y": given["x"][given["x"] > 0].sum()}, "index"),
        (lambda given: {"y": given["x"].sort().values}, "sort"),
    ],
)
def test_what_cannot_be_compiled_is_named(function, name: str, compiled) -> None:
    with pytest.raises(Unsupported, match=name):
        compiled(function, {"x": made(3)})


def test_rows_of_given_data_are_picked_by_index(assert_agrees) -> None:
    index = torch.randint(0, 12, (RUNS, 5), generator=torch.Generator().manual_seed(0))

    def function(given):
        x, index = given["x"], given["index"]
        return {
            "rows": x[index] * 2,
            "selected": x.index_select(0, index),
            "columns": x.mT.index_select(1, index),
            "matrix": x[1:][index.clamp(max=10).reshape(5, 1)],
            "element": x[:, 1][index],
        }

    assert_agrees(function, {"x": made(12, 3), "index": index})


def test_products_and_their_gradients_go_through_also_at_zeros(assert_agrees) -> None:
    x = made(6, 4)
    x[:, 2, 1] = 0.0
    x[:, 3, :2] = 0.0

    def function(given):
        with torch.enable_grad():
            leaf = given["x"].detach().requires_grad_()
            product = leaf.prod(dim=-1)
            (gradient,) = torch.autograd.grad(product.square().sum() + product.sum(), leaf)
        return {"product": product.detach(), "gradient": gradient, "running": given["x"].cumsum(0).flip(0)}

    assert_agrees(function, {"x": x})


@pytest.mark.parametrize("length", [65, 100])
def test_gradients_of_disjoint_selections_are_put_side_by_side(length: int, assert_agrees) -> None:
    """Halves, overlapping parts, every second place and single places of a long dimension."""
    half = length // 2

    def total(x):
        halves = x[:, :half] * x[:, half : 2 * half]
        overlapping = x[:, :40].square() * 2 + x[:, 20:60].exp()
        return halves.sum() + overlapping.sum() + (x[:, ::2] ** 3).sum() + x[:, 1].sin().sum() + x[0, 0]

    def function(given):
        gradient = torch.func.grad(total)(given["x"])
        halves = torch.func.grad(lambda x: (x[:, :half] * x[:, half : 2 * half]).prod())(given["x"] * 0.1 + 1)
        return {"all": gradient, "halves": halves}

    assert_agrees(function, {"x": made(2, length)})
