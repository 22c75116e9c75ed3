"""A unit's data flow: the operations of one pass, from inputs and parameters to the output.

They are recorded from the code that runs, so the picture cannot differ from it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from nalm.compiler.recorder import AtenOperation, record, storage_of
from nalm.units.base import Unit

SIGNS = {
    "mul": "×", "add": "+", "sub": "−", "div": "÷", "sum": "Σ", "prod": "Π", "mm": "Σ ×", "neg": "−",
    "abs": "|·|", "pow": "power", "reciprocal": "1/·", "sqrt": "√", "clamp": "clamp", "where": "choose",
    "_softmax": "softmax", "lt": "<", "gt": ">", "le": "≤", "ge": "≥", "eq": "=", "ne": "≠", "sgn": "sign",
    "bitwise_and": "and", "bitwise_or": "or", "bitwise_not": "not", "isnan": "is NaN", "new_zeros": "0",
}  # fmt: skip
"""Operations that are written by a sign; the others by their name."""
SILENT = {
    "clone",
    "_to_copy",
    "copy",
    "full_like",
    "zeros_like",
    "ones_like",
    "empty_like",
    "fill",
    "full",
    "scalar_tensor",
}
"""Operations that compute nothing."""
LETTER, MARGIN, NARROWEST, WIDEST = 0.058, 0.14, 0.36, 0.96
"""Widths of a letter, of what is around a text and of boxes, in layers; the chart has 104 pixels for one."""
OVER_INPUTS = {"+": "Σ", "×": "Π"}
"""Sums and products of what is done for every input."""
TINY = 1e-5
"""A number below this only keeps a logarithm or a quotient finite."""


@dataclass(frozen=True)
class Flow:
    """Operations and what they read.

    Attributes:
        nodes: label and kind of each: `input`, `parameter`, `operation` or `output`.
        edges: pairs of their numbers.
    """

    nodes: list[tuple[str, str]] = field(default_factory=list)
    edges: list[tuple[int, int]] = field(default_factory=list)

    def layers(self) -> list[int]:
        """For every node, how many operations lie before it at most; what is only read stands beside it."""
        depth = [0] * len(self.nodes)
        for start, end in self.edges:  # in the order of the pass
            depth[end] = max(depth[end], depth[start] + 1)
        for number, (_, kind) in enumerate(self.nodes):
            readers = [depth[end] for start, end in self.edges if start == number]
            if kind == "parameter" and readers:
                depth[number] = min(readers) - 1
        return depth

    def sentence(self) -> str:
        """The same in words."""
        read: dict[int, list[str]] = {}
        for start, end in self.edges:
            read.setdefault(end, []).append(self.nodes[start][0])
        return "; ".join(f"{self.nodes[end][0]} of {' and '.join(names)}" for end, names in read.items())


def flow_of(unit: Unit) -> Flow:
    """One pass of a unit on a single sample, as it is evaluated."""
    unit = unit.eval()
    x = torch.linspace(*unit.domain, unit.in_features + 2)[None, 1:-1]
    named = {f"x ({unit.in_features})": x} | dict(unit.named_parameters())
    results, recorder = record(lambda: {"y": unit(x)})
    flow = Flow()
    places: dict[int, int] = {}
    for name, tensor in named.items():
        places[storage_of(tensor)] = len(flow.nodes)
        flow.nodes.append((name, "input" if tensor is x else "parameter"))
    for operation in recorder.operations:
        _add(flow, places, operation)
    last = places.get(storage_of(results["y"]))
    flow.nodes.append((f"y ({unit.output_features})", "output"))
    if last is not None:
        flow.edges.append((last, len(flow.nodes) - 1))
    return _merged(_trimmed(flow))


def _add(flow: Flow, places: dict[int, int], operation: AtenOperation) -> None:
    tensors = list(_tensors((operation.args, operation.kwargs)))
    sources = list(dict.fromkeys(places[storage_of(t)] for t in tensors if storage_of(t) in places))
    if not sources or not operation.outputs:
        return
    target = storage_of(operation.outputs[0])
    if operation.name in SILENT and len(sources) == 1:
        places[target] = sources[0]
        return
    flow.nodes.append((_label(operation), "operation"))
    number = len(flow.nodes) - 1
    flow.edges.extend((source, number) for source in sources)
    for output in operation.outputs:
        places[storage_of(output)] = number


def _label(operation: AtenOperation) -> str:
    """The operation's sign, with the number it takes, if it takes one."""
    sign = SIGNS.get(operation.name, operation.name.strip("_"))
    numbers = [a for a in operation.args if isinstance(a, int | float) and not isinstance(a, bool)]
    if operation.name == "rsub":
        return f"{numbers[0]:g} − ·" if numbers else "−"
    if len(numbers) == 1 and operation.name in ("mul", "add", "sub", "div", "pow", "lt", "gt"):
        return f"{sign} {_number(numbers[0])}"
    return sign


def _number(value: float) -> str:
    if value == math.pi:
        return "π"
    return "ε" if 0 < value < TINY else f"{value:.3g}"


def _tensors(value: Any) -> Any:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _tensors(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _tensors(item)


def _trimmed(flow: Flow) -> Flow:
    """Without what does not lead to the output."""
    needed = {len(flow.nodes) - 1}
    for start, end in reversed(flow.edges):
        if end in needed:
            needed.add(start)
    kept = sorted(needed)
    numbers = {old: new for new, old in enumerate(kept)}
    edges = [(numbers[a], numbers[b]) for a, b in flow.edges if a in numbers and b in numbers]
    return Flow([flow.nodes[old] for old in kept], edges)


def _merged(flow: Flow) -> Flow:
    """What is done to every input alike, drawn once: operations of one name that read the same."""
    merged = Flow()
    places: dict[int, int] = {}
    known: dict[tuple[Any, ...], int] = {}
    for number, (label, kind) in enumerate(flow.nodes):
        read = [start for start, end in flow.edges if end == number]
        sources = list(dict.fromkeys(places[start] for start in read))
        if len(read) > 1 and len(sources) == 1:
            label = OVER_INPUTS.get(label, label)
        key = (label, *sorted(sources)) if kind == "operation" else (label, kind)
        if key not in known:
            known[key] = len(merged.nodes)
            merged.nodes.append((label, kind))
            merged.edges.extend((source, known[key]) for source in sources)
        places[number] = known[key]
    return merged


def placed(flow: Flow) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Nodes and edges with places on a plane: operations from left to right, each near what it reads."""
    layers = flow.layers()
    height: dict[int, float] = {}
    for layer in range(max(layers) + 1):
        members = [number for number, depth in enumerate(layers) if depth == layer]
        wished = {n: _wish([height[a] for a, b in flow.edges if b == n and a in height], n) for n in members}
        members.sort(key=lambda number: wished[number])
        for position, number in enumerate(members):
            height[number] = position - (len(members) - 1) / 2
    nodes = [
        {"node": number, "label": label, "kind": kind, "x": layers[number], "y": height[number]}
        | box(label, layers[number], height[number])
        for number, (label, kind) in enumerate(flow.nodes)
    ]
    edges = [
        {"edge": n, "x": layers[a], "y": height[a], "x2": layers[b], "y2": height[b]}
        for n, (a, b) in enumerate(flow.edges)
    ]
    return nodes, edges


def box(label: str, x: float, y: float) -> dict[str, float]:
    """The frame around a label, on the same plane: as wide as the text, and never as wide as a layer."""
    half = min(max(len(label) * LETTER + MARGIN, NARROWEST), WIDEST) / 2
    return {"left": x - half, "right": x + half, "top": y + 0.32, "bottom": y - 0.32}


def _wish(sources: list[float], number: int) -> float:
    return sum(sources) / len(sources) if sources else float(number)
