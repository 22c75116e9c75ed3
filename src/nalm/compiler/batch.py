"""Batches that several loops read: made once of a seed's random numbers, for all runs that have the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from nalm.compiler.declare import Drawn, Entry
from nalm.compiler.kernel import Input, Kernel, make_kernel
from nalm.compiler.lanes import Layout
from nalm.compiler.statements import InputAddress

Tensors = dict[str, Tensor]

RESULT, SETTINGS, NOW = 1, 2, 3
"""The compiled function's pointers, as those of an iteration: see `drive`."""


def compile_batch(
    make: Callable[[Tensors, Tensors], Tensors],
    settings: Mapping[str, Tensor],
    now: Mapping[str, Drawn],
    samples: int | None = None,
) -> CompiledBatch:
    """Compile what makes a batch of one run.

    Args:
        make: takes settings and random numbers to named tensors; ordinary PyTorch, as in `compile_loop`.
        settings: an example of those of a run that it reads, by the names they have in the loop's.
        now: the random numbers.
        samples: the length of the dimension that samples lie along.

    Raises:
        Unsupported: it does something that has no rule; the message names the operation.

    Example:
        >>> import torch
        >>> from nalm.compiler import Drawn, Made, compile_batch, compile_loop
        >>> one, drawn = torch.tensor(1.0), {"u": Drawn(stream=0, shape=(64,))}
        >>> batch = compile_batch(lambda own, now: {"x": own["scale"] * now["u"]}, {"scale": one}, drawn)
        >>> def iteration(state, settings, now):
        ...     return {"largest": torch.maximum(state["largest"], now["x"].amax())}
        >>> loop = compile_loop(iteration, {"largest": one}, {"scale": one}, {"x": Made(batch, "x")})
        >>> runs = {"largest": torch.zeros(2)}, {"scale": torch.tensor([1.0, 100.0])}
        >>> loop.run(*runs, {}, torch.arange(2), 0, 50)["largest"].ceil()
        tensor([  1., 100.])
    """
    layout = Layout.of(settings)
    own = {name: dense(value) for name, value in settings.items()}
    inputs = [Input(own[name], InputAddress(SETTINGS, offset)) for name, offset in layout.offsets.items()]
    examples, orders = {}, {}
    for place, (name, entry) in enumerate(now.items()):
        examples[name], orders[name] = laid_out(entry, samples)
        inputs.append(Input(examples[name], InputAddress(NOW + place), sampled=True))
    found: list[Layout] = []

    def places(results: Mapping[str, Tensor]) -> dict[str, InputAddress]:
        found.append(Layout.of(results))
        return {name: InputAddress(RESULT, offset) for name, offset in found[0].offsets.items()}

    kernel = make_kernel(lambda: make(own, examples), inputs, places, samples)
    return CompiledBatch(kernel, layout, dict(now), orders, found[0])


@dataclass(frozen=True, eq=False)
class CompiledBatch:
    """What makes batches, compiled; made by `compile_batch`.

    Attributes:
        settings: which of a run's it reads; runs that agree in them and in their seed have the same batches.
        now: the random numbers it takes.
        orders: rows and columns in which these are laid out.
        results: what it makes.
    """

    kernel: Kernel
    settings: Layout
    now: dict[str, Drawn]
    orders: dict[str, tuple[int, int]]
    results: Layout

    def start_build(self) -> None:
        """Start building the library without waiting for it."""
        self.kernel.start()

    def build(self) -> None:
        """Build and load the library now rather than at the first run."""
        self.kernel.address  # noqa: B018


@dataclass(frozen=True, eq=False)
class Made:
    """Part of a batch, as it is declared to `compile_loop`; `tables` has no entry of this name."""

    batch: CompiledBatch
    name: str

    @property
    def example(self) -> Tensor:
        shape, dtype = self.batch.results.shapes[self.name]
        return torch.ones(shape, dtype=dtype)


def dense(tensor: Tensor) -> Tensor:
    """A copy that fills its storage in the order of its indices."""
    return tensor.detach().clone(memory_format=torch.contiguous_format)


def laid_out(entry: Entry | Made, samples: int | None) -> tuple[Tensor, tuple[int, int]]:
    """An example, and rows and columns of a matrix kept by columns: a sample's numbers together."""
    example = dense(entry.example)
    if isinstance(entry, Drawn) and example.dim() > 1 and example.shape[-1] == samples:
        rows = example.numel() // example.shape[-1]
        back = example.movedim(-1, 0).contiguous().movedim(0, -1)
        return back, (rows, example.shape[-1])
    return example, (1, example.numel())
