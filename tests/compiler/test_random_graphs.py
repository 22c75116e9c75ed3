"""Random functions of random shapes, against eager PyTorch."""

import random
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

RUNS = 2
SIZES = (1, 2, 3, 5, 9, 16, 20)

SMOOTH: list[Callable[[Tensor], Tensor]] = [
    torch.tanh,
    torch.sigmoid,
    torch.sin,
    torch.abs,
    lambda x: x.clamp(-1, 1),
    lambda x: (x.abs() + 0.5).log(),
    lambda x: torch.where(x > 0.1, x, 0.3 * x),
    lambda x: x / (1 + x.square()),
]


def broadcast(a: torch.Size, b: torch.Size) -> bool:
    return all(m == n or 1 in (m, n) for m, n in zip(a, b, strict=True))


def grown(shuffle: random.Random, given: dict[str, Tensor], operations: int) -> dict[str, Tensor]:
    """A network of random operations; the same for the same generator and shapes."""
    pool = list(given.values())
    for _ in range(operations):
        x = shuffle.choice(pool)
        kind = shuffle.randrange(9)
        if kind <= 1:
            y = shuffle.choice(SMOOTH)(x)
        elif kind == 2:
            other = [p for p in pool if p.dim() == x.dim() and broadcast(p.shape, x.shape)]
            y = x * shuffle.choice(other) + 0.1
        elif kind == 3 and x.dim():
            y = x.mean(shuffle.randrange(x.dim()), keepdim=shuffle.random() < 0.5)
        elif kind == 4 and x.dim() >= 2:
            y = x.transpose(*shuffle.sample(range(x.dim()), 2))
        elif kind == 5 and x.dim():
            d = shuffle.randrange(x.dim())
            y = torch.cat([x.narrow(d, 0, (x.shape[d] + 1) // 2), 0.5 * x], d)
        elif kind == 6 and x.dim():
            d = shuffle.randrange(x.dim())
            y = x.select(d, shuffle.randrange(x.shape[d]))
        elif kind == 7 and x.dim() == 2:
            matching = [p for p in pool if p.dim() == 2 and p.shape[0] == x.shape[1]]
            y = x @ shuffle.choice(matching) * 0.1 if matching else x @ x.mT * 0.1
        else:
            y = x.reshape(-1) if shuffle.random() < 0.5 else x.unsqueeze(0)
        if y.numel() <= 4000:
            pool.append(y)
    return {str(k): value for k, value in enumerate(pool[-6:])}


@pytest.mark.parametrize("seed", range(24))
def test_values_and_gradients_agree(seed: int, assert_agrees) -> None:
    shuffle = random.Random(seed)
    generator = torch.Generator().manual_seed(seed)
    rows, columns, inner = (shuffle.choice(SIZES) for _ in range(3))
    samples = shuffle.choice((16, 40, 63))
    inputs = {
        "a": torch.randn(RUNS, samples, columns, generator=generator),
        "b": torch.randn(RUNS, columns, inner, generator=generator),
        "c": torch.randn(RUNS, rows, generator=generator),
        "d": torch.randn(RUNS, samples, columns, generator=generator),
    }
    operations = shuffle.randint(8, 30)
    state = shuffle.getstate()

    def function(given: dict[str, Tensor]) -> dict[str, Tensor]:
        shuffle.setstate(state)
        with torch.enable_grad():
            leaves = {name: value.detach().requires_grad_() for name, value in given.items()}
            results = grown(shuffle, leaves, operations)
            loss = sum((value.square().mean() for value in results.values()), torch.zeros(()))
            gradients = torch.autograd.grad(loss, list(leaves.values()), allow_unused=True)
        found = {name: g for name, g in zip(leaves, gradients, strict=True) if g is not None}
        return {**results, **found}

    assert_agrees(function, inputs, factor=30.0, floor=1e-5)
