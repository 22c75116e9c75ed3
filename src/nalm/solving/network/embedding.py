"""From the few sums and powers that were found to the matrices of all layers of a network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from nalm.solving.network.chain import Chain
from nalm.units.forms import Kind


@dataclass(frozen=True)
class LayerForm:
    """One layer of a network: what it computes, from which entries, and how many outputs it has."""

    kind: Kind
    allowed: tuple[float, ...]
    outputs: int


@dataclass(frozen=True)
class LayerGroup:
    """Neighbouring layers of the same kind, which together compute one layer of that kind.

    Attributes:
        kind: what they compute.
        first: position of the first layer.
        last: position of the last layer.
        allowed: entries of their product that are certain to be possible; empty if all numbers are.
    """

    kind: Kind
    first: int
    last: int
    allowed: tuple[float, ...]


def layer_groups(slots: Sequence[LayerForm]) -> list[LayerGroup]:
    """The network as runs; in a run of several layers entries add up, as far as hidden units go.

    Example:
        >>> ternary = (-1.0, 0.0, 1.0)
        >>> (group,) = layer_groups([LayerForm(Kind.SUM, ternary, size) for size in (2, 1)])
        >>> group.allowed
        (-2.0, -1.0, 0.0, 1.0, 2.0)
    """
    found: list[LayerGroup] = []
    start = 0
    for position, slot in enumerate(slots):
        if position + 1 < len(slots) and slots[position + 1].kind is slot.kind:
            continue
        found.append(LayerGroup(slot.kind, start, position, _sums_of(slots[start : position + 1])))
        start = position + 1
    return found


def _sums_of(slots: Sequence[LayerForm]) -> tuple[float, ...]:
    if not all(slot.allowed for slot in slots):
        return ()
    if len(slots) == 1:
        return slots[0].allowed
    reach = slots[0].outputs
    low, high = (reach * int(bound(slots[0].allowed)) for bound in (min, max))
    return tuple(float(value) for value in range(low, high + 1))


def thread(
    chain: Chain, places: Sequence[LayerGroup], slots: Sequence[LayerForm], *, exact: bool = True
) -> list[Tensor] | None:
    """Matrices of all slots that compute the chain, with as few rows as it needs; `None` if it does not fit.

    Args:
        chain: a chain with one output.
        places: the run that computes each layer of the chain; layers outside these pass values on unchanged.
        slots: the network.
        exact: whether entries must be allowed ones.
    """
    active = chain.matrices[0].abs().sum(dim=0).nonzero().squeeze(-1)
    active = active if len(active) else torch.zeros(1, dtype=torch.long)
    signals = torch.eye(chain.matrices[0].shape[-1], dtype=chain.matrices[0].dtype)
    links = [chain.matrices[0], *chain.matrices[1:]]
    if places[0].first > 0:
        signals = signals[active]
        links[0] = links[0][:, active]
    matrices: list[Tensor] = []
    for position, slot in enumerate(slots):
        index = next((i for i, run in enumerate(places) if run.first <= position <= run.last), None)
        if index is not None and position == places[index].first:
            several = places[index].last > position
            pair = _split(links[index], slot, several)
            matrices.append(pair[0])
            pending = pair[1]
        elif index is not None and position == places[index].first + 1:
            matrices.append(pending)
        else:
            matrices.append(signals if not matrices else torch.eye(len(matrices[-1]), dtype=signals.dtype))
        if len(matrices[-1]) > slot.outputs or (exact and not _possible(matrices[-1], slot.allowed)):
            return None
    return matrices


def _split(matrix: Tensor, slot: LayerForm, several: bool) -> tuple[Tensor, Tensor]:
    """The matrix as a product of two: itself and the identity, or copies of ±1 that add up to its entries."""
    if not several or _possible(matrix, slot.allowed) or not slot.allowed:
        return matrix, torch.eye(len(matrix), dtype=matrix.dtype)
    first, second = [], []
    for index, row in enumerate(matrix):
        for copy in range(1, max(1, int(row.abs().max())) + 1):
            first.append(row.sign() * (row.abs() >= copy))
            second.append(torch.eye(len(matrix), dtype=matrix.dtype)[index])
    return torch.stack(first), torch.stack(second, dim=-1)


def _possible(matrix: Tensor, allowed: tuple[float, ...]) -> bool:
    return not allowed or bool(torch.isin(matrix, torch.tensor(allowed, dtype=matrix.dtype)).all())


def side_by_side(
    threads: Sequence[list[Tensor]], slots: Sequence[LayerForm], inputs: int
) -> list[Tensor] | None:
    """One network for several outputs: hidden rows next to each other, equal ones shared, zeros elsewhere."""
    first = torch.cat([matrices[0] for matrices in threads])
    later = [torch.block_diag(*(matrices[i] for matrices in threads)) for i in range(1, len(slots))]
    if later:
        first, later[0] = _share(first, later[0])
    full: list[Tensor] = []
    for matrix, slot in zip([first, *later], slots, strict=True):
        columns = len(full[-1]) if full else inputs
        if len(matrix) > slot.outputs:
            return None
        padded = matrix.new_zeros(slot.outputs, columns)
        padded[: matrix.shape[0], : matrix.shape[1]] = matrix
        full.append(padded)
    return full


def _share(rows: Tensor, columns: Tensor) -> tuple[Tensor, Tensor]:
    """Merge equal rows of a layer that no row of the next layer uses twice."""
    kept: list[int] = []
    columns = columns.clone()
    for index, row in enumerate(rows):
        for other in kept:
            apart = not bool(((columns[:, other] != 0) & (columns[:, index] != 0)).any())
            if apart and torch.equal(rows[other], row):
                columns[:, other] += columns[:, index]
                break
        else:
            kept.append(index)
    return rows[kept], columns[:, kept]
