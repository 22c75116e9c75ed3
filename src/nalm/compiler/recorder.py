"""First pass: the aten operations that an eager call amounts to.

A dispatch mode below autograd sees forward and backward alike. The tensors are real, so a view needs no code:
it is an offset and strides into a storage, whichever operation made it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch._decomp import decomposition_table
from torch.utils._python_dispatch import TorchDispatchMode

from nalm.compiler.operations import KNOWN
from nalm.compiler.rewrites import REWRITES

NOT_RECORDED = {"detach", "alias", "lift_fresh", "_reshape_alias", "_unsafe_view"}
"""They make no numbers, though torch does not call all of them views."""


@dataclass
class AtenOperation:
    """One aten operation with real arguments and results."""

    name: str
    """Without overload and without the underscore of an operation in place: `add` for `add_.Tensor`."""
    full_name: str
    """As PyTorch calls it; of an operation said in others, that operation's."""
    in_place: bool
    random: bool
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    outputs: list[Tensor]


class Recorder(TorchDispatchMode):
    """Lists the operations that are called inside it, those without a rule in terms of others."""

    def __init__(self) -> None:
        super().__init__()
        self.operations: list[AtenOperation] = []
        # Storages are told apart by their addresses: none may be freed before the end.
        self.kept: list[Any] = []
        self.before: dict[int, Tensor] = {}
        """What storages held before an operation in place changed them for the first time."""
        self._within = ""
        """The operation that is being said in others."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """PyTorch's switch for modes: the default would import all of Dynamo, which takes seconds."""
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        packet, overload = func._schema.name.removeprefix("aten::"), func._overloadname
        in_place = func._schema.is_mutable
        name = packet.removesuffix("_") if in_place else packet
        moves_nothing = func.is_view or name in NOT_RECORDED or torch.Tag.inplace_view in func.tags
        if name not in KNOWN and not moves_nothing:
            outer, self._within = self._within, self._within or f"{packet}.{overload}"
            with self:
                out = _in_others(func, name, args, kwargs)
            self._within = outer
            if out is not NotImplemented:
                return out
        if moves_nothing:
            out = func(*args, **kwargs)
            self.kept.append(out)
            return out
        if in_place:
            self._remember(args[0])
        out = func(*args, **kwargs)
        self.kept.append((args, kwargs, out))
        flat = out if isinstance(out, tuple | list) else [out]
        self.operations.append(
            AtenOperation(
                name,
                self._within or f"{packet}.{overload}",
                in_place,
                torch.Tag.nondeterministic_seeded in func.tags,
                _frozen(args),
                {key: _frozen(value) for key, value in kwargs.items()},
                [t.detach() for t in flat if isinstance(t, Tensor)],
            )
        )
        return out

    def _remember(self, tensor: Tensor) -> None:
        key = storage_of(tensor)
        if key not in self.before:
            self.before[key] = torch.as_strided(tensor.detach(), (storage_size(tensor),), (1,), 0).clone()


def _frozen(value: Any) -> Any:
    """Arguments as they are now: `squeeze_` and the like change a tensor's shape later on."""
    if isinstance(value, Tensor):
        return value.detach()
    return type(value)(map(_frozen, value)) if isinstance(value, list | tuple) else value


def _in_others(func: Any, name: str, args: Any, kwargs: Any) -> Any:
    """An operation's result by a rule that says it in other operations."""
    rule = REWRITES.get(name) or decomposition_table.get(func) or func.decompose
    return rule(*args, **kwargs)


def storage_of(tensor: Tensor) -> int:
    """What tells tensors' memory apart."""
    return tensor.untyped_storage()._cdata


def storage_size(tensor: Tensor) -> int:
    """How many numbers of the tensor's type its memory holds."""
    return max(1, tensor.untyped_storage().nbytes() // tensor.element_size())


def record(function: Callable[..., dict[str, Tensor]], *args: Any) -> tuple[dict[str, Tensor], Recorder]:
    """Call a function and return its result with the record, which must be kept while tensors are read."""
    with torch.no_grad(), Recorder() as recorder:
        results = function(*args)
    return results, recorder
