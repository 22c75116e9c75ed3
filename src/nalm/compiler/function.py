"""Measures of many runs on data that they share or have to themselves."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from nalm.compiler.build import SELDOM, runtime
from nalm.compiler.kernel import Input, Kernel, make_kernel
from nalm.compiler.lanes import LANES, Layout, as_bits, groups_by_key, place_of
from nalm.compiler.statements import InputAddress

Tensors = dict[str, Tensor]
Sets = tuple[Tensor, Tensor]
"""Data sets [sets, …], and an integer tensor [runs] that tells each run's set."""

PARAMETERS, RESULTS, DATA = 0, 1, 2
"""The compiled function's pointers: parameters, results, and from there the data."""


def compile_function(
    function: Callable[[Tensors, Tensors], Tensors],
    parameters: Mapping[str, Tensor],
    shared: Mapping[str, Tensor] | None = None,
    own: Mapping[str, Tensor] | None = None,
    samples: int | None = None,
) -> CompiledFunction:
    """Compile a function of one run's parameters and data.

    Args:
        function: takes parameters and data (`shared` and `own` in one dictionary) to named results.
        parameters: an example of what differs from run to run and call to call.
        shared: an example of data that several runs have in common, such as inputs: it is read once for all
            lanes, so runs are grouped by it.
        own: an example of data that runs may have to themselves, such as targets.
        samples: the length of the dimension that samples lie along; by default the longest of the data.

    Raises:
        Unsupported: the function does something that has no rule; the message names the operation.

    Example:
        >>> import torch
        >>> from nalm.compiler import compile_function
        >>> def error(parameters, data):
        ...     return {"mse": (data["x"] @ parameters["w"] - data["y"]).square().mean()}
        >>> x, y = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([3.0, 7.0])
        >>> measure = compile_function(error, {"w": torch.ones(2)}, {"x": x}, {"y": y})
        >>> first = torch.zeros(2, dtype=torch.int64)
        >>> data = measure.prepare(2, {"x": (x[None], first)}, {"y": (y[None], first)})
        >>> measure({"w": torch.tensor([[1.0, 1.0], [1.0, 0.0]])}, data)["mse"]
        tensor([ 0., 10.])
    """
    shared, own = dict(shared or {}), dict(own or {})
    layout = Layout.of(parameters)
    dense = functools.partial(torch.clone, memory_format=torch.contiguous_format)
    given = {name: dense(value.detach()) for name, value in parameters.items()}
    data = {name: dense(value.detach()) for name, value in (shared | own).items()}
    inputs = [Input(given[name], InputAddress(PARAMETERS, offset)) for name, offset in layout.offsets.items()]
    for place, name in enumerate(data):
        inputs.append(Input(data[name], InputAddress(DATA + place, common=name in shared), sampled=True))
    found: list[Layout] = []

    def places(results: Mapping[str, Tensor]) -> dict[str, InputAddress]:
        found.append(Layout.of(results))
        return {name: InputAddress(RESULTS, offset) for name, offset in found[0].offsets.items()}

    kernel = make_kernel(lambda: function(given, data), inputs, places, samples)
    if not data:
        kernel.optimise = SELDOM
    return CompiledFunction(kernel, layout, found[0], Layout.of(shared), Layout.of(own))


@dataclass(frozen=True)
class Data:
    """Data sets of a number of runs, as compiled code reads them; made by `CompiledFunction.prepare`."""

    count: int
    runs: Tensor
    occupied: Tensor
    pointers: list[list[int]]
    kept: list[Any]


class CompiledFunction:
    """A compiled function; made by `compile_function`."""

    def __init__(
        self, kernel: Kernel, parameters: Layout, results: Layout, shared: Layout, own: Layout
    ) -> None:
        self.kernel, self.parameters, self.results = kernel, parameters, results
        self.shared, self.own = shared, own

    def start_build(self) -> None:
        """Start building the library without waiting for it, so that others can be compiled meanwhile."""
        self.kernel.start()

    def build(self) -> None:
        """Build and load the library now rather than at the first call."""
        self.kernel.address  # noqa: B018

    def prepare(
        self, runs: int, shared: Mapping[str, Sets] | None = None, own: Mapping[str, Sets] | None = None
    ) -> Data:
        """Arrange the data of so many runs, for any number of calls."""
        shared, own = shared or {}, own or {}
        chosen = {name: self._sets(name, shared, self.shared, runs) for name in self.shared.shapes}
        keys = list(zip(*(index.tolist() for _, index in chosen.values()), strict=True)) or [()] * runs
        groups = groups_by_key(keys)
        own_sets = {name: self._sets(name, own, self.own, runs) for name in self.own.shapes}
        tables = {name: as_bits(sets).contiguous() for name, (sets, _) in chosen.items()}
        lanes: dict[tuple[str, tuple[int, ...]], Tensor] = {}
        pointers: list[list[int]] = []
        for key, group in groups:
            assert isinstance(key, tuple)
            row = [tables[name][k].data_ptr() for name, k in zip(chosen, key, strict=True)]
            for name, (sets, index) in own_sets.items():
                which = tuple(index[list(group.runs)].tolist())
                if (name, which) not in lanes:
                    flat = as_bits(sets[list(which)]).reshape(LANES, -1)
                    lanes[name, which] = flat.T.contiguous()
                row.append(lanes[name, which].data_ptr())
            pointers.append(row)
        return Data(
            runs,
            torch.tensor([group.runs for _, group in groups]).reshape(-1, LANES),
            torch.tensor([group.occupied for _, group in groups]).reshape(-1, LANES),
            pointers,
            [tables, lanes],
        )

    def _sets(self, name: str, given: Mapping[str, Sets], layout: Layout, runs: int) -> Sets:
        if name not in given:
            raise KeyError(f"data {name} is missing; it was there when the function was compiled")
        sets, index = given[name]
        shape, _ = layout.shapes[name]
        if tuple(sets.shape[1:]) != shape or tuple(index.shape) != (runs,):
            raise ValueError(
                f"data {name} must be [sets, {shape}] with an index of {runs} runs, "
                f"got {tuple(sets.shape)} and {tuple(index.shape)}"
            )
        return sets, index

    def __call__(self, parameters: Mapping[str, Tensor], data: Data) -> Tensors:
        """The results of every run, by name: [runs, …]."""
        given = self.parameters.pack(parameters, data.runs)
        results = torch.empty(len(data.runs), max(1, self.results.size), LANES, dtype=torch.int32)
        pointers = [
            pointer
            for group, own in enumerate(data.pointers)
            for pointer in (place_of(given, group), place_of(results, group), *own)
        ]
        table = (ctypes.c_void_p * len(pointers))(*pointers)
        work = torch.empty(max(1, self.kernel.work), LANES)
        per_group = DATA + len(self.shared.shapes) + len(self.own.shapes)
        _each()(self.kernel.address, len(data.runs), per_group, table, work.data_ptr())
        return self.results.unpack(results, data.runs, data.occupied, data.count)


@functools.cache
def _each() -> Any:
    each = runtime().nalm_each
    each.argtypes = (ctypes.c_void_p, ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)
    each.restype = None
    return each
