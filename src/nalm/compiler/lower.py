"""Second pass: every operation as element-wise statements and folds."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from nalm.compiler.errors import Unsupported
from nalm.compiler.memory import pointer_name
from nalm.compiler.operations import (
    CONDITION,
    CONVERSIONS,
    FOLDS,
    MADE,
    POINTWISE,
    SPECIAL,
    SUMS,
    literal,
    pointwise,
)
from nalm.compiler.recorder import AtenOperation, Recorder, storage_of, storage_size
from nalm.compiler.statements import REAL, TRUTH, WHOLE, Buffer, Fold, InputAddress, Statement, View, kind_of

LONG_SELECTION = 64
"""Lengths above which gradients of selections are not added up: shorter ones are mostly written out, where
adding 0 costs nothing."""
LARGEST_CONSTANT = 2**16
"""Numbers of a constant that may become C; larger ones are data, which is given."""


class Lowering:
    """Turns operations into `statements`; a tensor's storage is a buffer, its strides are the views'."""

    def __init__(self) -> None:
        self.statements: list[Statement] = []
        self._buffers: dict[int, Buffer] = {}
        self._made: set[int] = set()
        self._before: dict[int, Tensor] = {}
        self._selections: dict[Buffer, _Selections] = {}

    def input(self, tensor: Tensor, source: InputAddress, sample_dimension: int | None = None) -> None:
        """Declare an input: an example that fills its storage."""
        buffer = Buffer(storage_size(tensor), kind_of(tensor.dtype), source)
        if sample_dimension is not None:
            buffer.sample_stride = tensor.stride(sample_dimension)
        self._buffers[storage_of(tensor)] = buffer

    def lower(self, recorder: Recorder) -> None:
        """Append the statements of all recorded operations."""
        self._before = recorder.before
        for op in recorder.operations:
            tensors = _tensors((op.args, tuple(op.kwargs.values())))
            if op.random:
                raise Unsupported(f"{op.full_name} draws random numbers; declare them as Drawn")
            if op.in_place and not {storage_of(t) for t in tensors[:1]} <= self._made:
                raise Unsupported(f"{op.full_name} changes a tensor that outlives the call")
            self._made |= {storage_of(t) for t in op.outputs}
            constant = op.name in MADE or all(self.buffer(t).values is not None for t in tensors)
            if constant and not op.in_place:
                continue  # the result is a constant too, read from the tensor wherever it is used
            if not op.outputs:
                number = op.name == "_local_scalar_dense"
                what = (
                    "a Python number taken from a tensor (.item(), bool(), a branch)"
                    if number
                    else op.full_name
                )
                raise Unsupported(what)
            for out in op.outputs:
                if out.dtype in (torch.float64, torch.float16, torch.bfloat16) or out.is_complex():
                    raise Unsupported(f"{op.full_name} in {str(out.dtype).removeprefix('torch.')}")
            self._lower(op, op.outputs[0])

    def copy(self, tensor: Tensor, dest: Buffer) -> None:
        """Append the statement that puts a result where it goes."""
        strides = torch.empty(tensor.shape).stride()
        self._emit(View(dest, 0, strides), "{}".format, [self.view(tensor)], tensor.shape)

    def view(self, tensor: Tensor) -> View:
        return _view(self.buffer(tensor), tensor)

    def buffer(self, tensor: Tensor) -> Buffer:
        """The buffer that stands for a tensor's storage; a constant if nothing has made it."""
        key = storage_of(tensor)
        if key not in self._buffers:
            size = storage_size(tensor)
            if size > LARGEST_CONSTANT:
                raise Unsupported(f"a constant of {size} numbers; give it as an input")
            flat = self._before.get(key)
            if flat is None:
                flat = torch.as_strided(tensor.detach(), (size,), (1,), 0)
            self._buffers[key] = Buffer(size, kind_of(tensor.dtype), values=flat.tolist())
        return self._buffers[key]

    def _new(self, tensor: Tensor) -> View:
        """A fresh buffer for what an operation makes, whatever the storage stood for before."""
        if tensor.numel() != storage_size(tensor) and tensor.numel():
            raise Unsupported("writing to a part of a tensor")
        buffer = self._buffers[storage_of(tensor)] = Buffer(storage_size(tensor), kind_of(tensor.dtype))
        return _view(buffer, tensor)

    def _lower(self, op: AtenOperation, out: Tensor) -> None:
        own = getattr(self, f"_lower_{op.name.lstrip('_')}", None)
        if own is not None:
            own(op, out)
        elif op.name in SUMS:
            self._lower_fold(op, out)
        elif op.name in SPECIAL or any(op.name in table for table in POINTWISE.values()):
            self._lower_pointwise(op, out)
        else:
            raise Unsupported(op.full_name)

    def _lower_add(self, op: AtenOperation, out: Tensor) -> None:
        """A sum; gradients of selections from different places of a tensor are put side by side instead."""
        terms = [arg for arg in op.args if isinstance(arg, Tensor)]
        found = [self._selections.get(self.buffer(term)) for term in terms]
        if len(op.args) == 2 and not op.kwargs and len(found) == 2 and found[0] and found[1]:
            first, second = found[0], found[1]
            alike = first.dim == second.dim and all(term.shape == out.shape for term in terms)
            long = out.shape[first.dim] > LONG_SELECTION
            if alike and long and not first.places.keys() & second.places.keys():
                self._scatter(out, _Selections(first.dim, first.places | second.places))
                return
        self._lower_pointwise(op, out)

    def _lower_pointwise(self, op: AtenOperation, out: Tensor) -> None:
        args = list(op.args)
        while args and args[-1] is None:
            args.pop()
        kwargs = {key: value for key, value in op.kwargs.items() if not isinstance(value, Tensor)}
        if any(isinstance(value, Tensor) for value in op.kwargs.values()):
            raise Unsupported(f"{op.full_name} with a tensor by name")
        kind = self._common_kind(op, out)
        views, places = [], []
        for place, value in enumerate(args):
            if isinstance(value, Tensor):
                views.append(self.view(value.expand(out.shape)))
                places.append(place)
        condition = CONDITION.get(op.name)
        wanted = [TRUTH if place == condition else kind for place in places]
        found = [view.buffer.kind for view in views]

        def code(*values: str) -> str:
            given = list(args)
            for place, value, has, needs in zip(places, values, found, wanted, strict=True):
                given[place] = _converted(value, has, needs)
            return pointwise(op.name, kind, given, kwargs)

        code(*("x" for _ in views))  # unsupported kinds are found here
        self._emit(self._new(out), code, views, out.shape)

    def _common_kind(self, op: AtenOperation, out: Tensor) -> str:
        """The kind an operation computes in: that of its result, or of its arguments if it compares them."""
        condition = CONDITION.get(op.name)
        tensors = [a for k, a in enumerate(op.args) if isinstance(a, Tensor) and k != condition]
        numbers = [a for a in op.args if isinstance(a, bool | int | float)]
        if op.name.startswith("logical_"):
            return TRUTH
        if op.name == "copy":
            return kind_of(out.dtype)
        if out.dtype != torch.bool:
            return kind_of(out.dtype)
        kinds = {kind_of(t.dtype) for t in tensors} | {_kind_of_number(n) for n in numbers}
        return next(kind for kind in (REAL, WHOLE, TRUTH) if kind in kinds)

    def _lower_to_copy(self, op: AtenOperation, out: Tensor) -> None:
        source = self.view(op.args[0])
        convert = functools.partial(_converted, has=source.buffer.kind, needs=kind_of(out.dtype))
        self._emit(self._new(out), convert, [source], out.shape)

    def _lower_fill(self, op: AtenOperation, out: Tensor) -> None:
        if isinstance(op.args[1], Tensor):
            source = self.view(op.args[1].expand(out.shape))
            convert = functools.partial(_converted, has=source.buffer.kind, needs=kind_of(out.dtype))
            self._emit(self._new(out), convert, [source], out.shape)
        else:
            self._emit_constant(self._new(out), op.args[1], out.shape)

    def _lower_zero(self, op: AtenOperation, out: Tensor) -> None:
        self._emit_constant(self._new(out), 0, out.shape)

    def _lower_copy(self, op: AtenOperation, out: Tensor) -> None:
        source = self.view(op.args[1].expand(out.shape))
        convert = functools.partial(_converted, has=source.buffer.kind, needs=kind_of(out.dtype))
        self._emit(self._new(out), convert, [source], out.shape)

    def _lower_mm(self, op: AtenOperation, out: Tensor) -> None:
        a, b = op.args[:2]
        self._product(out, a[:, None, :], b.mT[None, :, :])

    def _lower_bmm(self, op: AtenOperation, out: Tensor) -> None:
        a, b = op.args[:2]
        self._product(out, a[:, :, None, :], b.mT[:, None, :, :])

    def _product(self, out: Tensor, a: Tensor, b: Tensor) -> None:
        """out[…] = Σ over the last dimension of a·b, which broadcast."""
        shape = np.broadcast_shapes(a.shape, b.shape)
        if kind_of(out.dtype) != REAL:
            raise Unsupported("a matrix product of whole numbers")
        dest = self._new(out)
        dest = View(dest.buffer, dest.offset, (*dest.strides, 0))
        args = [self.view(a.expand(shape)), self.view(b.expand(shape))]
        if shape[-1] == 0:
            self._emit_constant(dest, 0, shape[:-1])
            return
        self._emit(dest, "({} * {})".format, args, shape, FOLDS[REAL, "dot"])

    def _lower_fold(self, op: AtenOperation, out: Tensor) -> None:
        source = op.args[0]
        dims, keepdim = _folded_dimensions(op, source)
        kind = TRUTH if op.name in ("any", "all") else kind_of(out.dtype)
        if (kind, SUMS[op.name]) not in FOLDS:
            raise Unsupported(f"{op.full_name} of {kind} numbers")
        fold = FOLDS[kind, SUMS[op.name]]
        convert = functools.partial(_converted, has=kind_of(source.dtype), needs=kind)
        dest = self._new(out)
        count = math.prod(source.shape[d] for d in dims)
        total = dest
        if op.name == "mean":
            total = View(Buffer(dest.buffer.size, kind), dest.offset, dest.strides)
        if count == 1:
            self._emit(total, convert, [self.view(source.reshape(out.shape))], out.shape)
        elif count == 0:
            raise Unsupported(f"{op.full_name} of nothing")
        else:
            own = iter(total.strides)
            strides = []
            for d in range(source.dim()):
                if d in dims:
                    strides.append(0)
                    if keepdim:
                        next(own)
                else:
                    strides.append(next(own))
            spread = View(total.buffer, total.offset, tuple(strides))
            self._emit(spread, convert, [self.view(source)], source.shape, fold)
        if op.name == "mean":
            divided = functools.partial("({value} / {count})".format, count=literal(count, REAL))
            self._emit(dest, lambda value: divided(value=value), [total], out.shape)

    def _lower_index(self, op: AtenOperation, out: Tensor) -> None:
        data, indices = op.args
        if len(indices) != 1 or indices[0].dtype == torch.bool:
            raise Unsupported(f"{op.full_name} but by one tensor of whole numbers in front")
        self._gather(op, out, data, indices[0])

    def _lower_index_select(self, op: AtenOperation, out: Tensor) -> None:
        data, dim, index = op.args
        self._gather(op, out.movedim(dim, 0), data.movedim(dim, 0), index)

    def _gather(self, op: AtenOperation, out: Tensor, data: Tensor, index: Tensor) -> None:
        """out[i, j] = data[index[i], j], where data is an input."""
        source = self.view(data)
        rank, shape = index.dim(), out.shape
        if source.buffer.source is None or source.buffer.kind != REAL:
            raise Unsupported(f"{op.full_name} of anything but real numbers that are given")
        places = torch.as_strided(
            torch.arange(source.buffer.size), data.shape[1:], data.stride()[1:], source.offset
        )
        spread = index.reshape(*index.shape, *(1,) * (len(shape) - rank)).expand(shape)
        number, pointer = literal(data.stride(0), WHOLE), pointer_name(source.buffer)
        pick = "v_gather" if source.buffer.source.common else "v_gather_own"
        start = source.buffer.source.offset

        def code(_: str, row: str, place: str) -> str:
            return f"{pick}({pointer} + {start}, {row} * {number} + {place})"

        # The first argument is there to say what is read.
        anything = View(source.buffer, 0, (0,) * len(shape))
        constants = Buffer(max(1, places.numel()), WHOLE, values=places.flatten().tolist() or [0])
        inner = torch.empty(places.shape).expand(shape).stride()
        args = [anything, self.view(spread), View(constants, 0, inner)]
        dest = self._new(out)
        self._emit(_view(dest.buffer, out), code, args, shape)

    def _lower_cat(self, op: AtenOperation, out: Tensor) -> None:
        pieces = op.args[0]
        dim = op.args[1] if len(op.args) > 1 else op.kwargs.get("dim", 0)
        if op.name == "stack":
            pieces = [piece.unsqueeze(dim) for piece in pieces]
        whole, start = self._new(out), 0
        for piece in pieces:
            if piece.numel():
                part = out.narrow(dim, start, piece.shape[dim])
                start += piece.shape[dim]
                source = self.view(piece)
                convert = functools.partial(_converted, has=source.buffer.kind, needs=whole.buffer.kind)
                dest = _view(whole.buffer, part)
                self._emit(dest, convert, [source], piece.shape)

    _lower_stack = _lower_cat

    def _lower_select_backward(self, op: AtenOperation, out: Tensor) -> None:
        gradient, _, dim, index = op.args
        self._scatter(out, self._selected(gradient.unsqueeze(dim), dim, [index % out.shape[dim]]))

    def _lower_slice_backward(self, op: AtenOperation, out: Tensor) -> None:
        gradient, _, dim, *bounds = op.args
        places = list(range(out.shape[dim]))[slice(*bounds)]
        self._scatter(out, self._selected(gradient, dim, places))

    def _selected(self, gradient: Tensor, dim: int, places: Sequence[int]) -> _Selections:
        dim %= gradient.dim()
        view = self.view(gradient)
        step = view.strides[dim]
        own = {
            place: View(view.buffer, view.offset + k * step, view.strides) for k, place in enumerate(places)
        }
        return _Selections(dim, own)

    def _scatter(self, out: Tensor, found: _Selections) -> None:
        """The gradient of selections along a dimension: 0 in all other places."""
        whole, dim = self._new(out), found.dim
        self._selections[whole.buffer] = found

        def run_of(place: int) -> tuple[Hashable, int]:
            """The same for neighbours that one statement can copy."""
            view = found.places.get(place)
            if view is None:
                return None, 0
            return (view.buffer, view.strides), view.offset - place * view.strides[dim]

        for key, neighbours in itertools.groupby(range(out.shape[dim]), run_of):
            first, *others = neighbours
            part = out.narrow(dim, first, 1 + len(others))
            dest = _view(whole.buffer, part)
            if key[0] is None:
                self._emit_constant(dest, 0, part.shape)
            else:
                self._emit(dest, "{}".format, [found.places[first]], part.shape)

    def _emit_constant(self, dest: View, value: float, shape: Sequence[int]) -> None:
        text = literal(value, dest.buffer.kind)
        self._emit(dest, lambda: text, [], shape)

    def _emit(
        self,
        dest: View,
        code: Callable[..., str],
        args: list[View],
        shape: Sequence[int],
        fold: Fold | None = None,
    ) -> None:
        """Append a statement; dimensions of length 1 are none."""
        if 0 in shape:
            return
        keep = [d for d, n in enumerate(shape) if n != 1]
        narrowed = [View(v.buffer, v.offset, tuple(v.strides[d] for d in keep)) for v in (dest, *args)]
        self.statements.append(
            Statement(narrowed[0], code, narrowed[1:], tuple(shape[d] for d in keep), fold)
        )


@dataclass(frozen=True)
class _Selections:
    """Where along a dimension a gradient is not 0, and what it is there."""

    dim: int
    places: dict[int, View]


def _view(buffer: Buffer, tensor: Tensor) -> View:
    return View(buffer, int(tensor.storage_offset()), tensor.stride())


def _converted(value: str, has: str, needs: str) -> str:
    return value if has == needs else CONVERSIONS[has, needs].format(value)


def _kind_of_number(value: float) -> str:
    return TRUTH if isinstance(value, bool) else WHOLE if isinstance(value, int) else REAL


def _folded_dimensions(op: AtenOperation, source: Tensor) -> tuple[set[int], bool]:
    """The dimensions that a reduction folds, and whether they stay with length 1."""
    args = [a for a in op.args[1:] if not isinstance(a, torch.dtype)]
    dims = args[0] if args else op.kwargs.get("dim")
    keepdim = args[1] if len(args) > 1 else op.kwargs.get("keepdim", False)
    if dims is None or (isinstance(dims, list | tuple) and not dims):
        return set(range(source.dim())), bool(keepdim)
    dims = [dims] if isinstance(dims, int) else dims
    return {d % max(1, source.dim()) for d in dims}, bool(keepdim)


def _tensors(values: Any) -> list[Tensor]:
    if isinstance(values, Tensor):
        return [values]
    if isinstance(values, list | tuple):
        return [t for value in values for t in _tensors(value)]
    return []
