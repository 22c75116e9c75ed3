"""Third pass: which dimensions become loops, which are written out, and how long sums are split."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace

from nalm.compiler.operations import FOLDS
from nalm.compiler.statements import Buffer, Statement, View

SHORT = 8
"""Dimensions up to this length are written out."""
WRITTEN_OUT = 64
"""Elements of a statement that may be written out in a loop over samples: such code may be long."""
WRITTEN_OUT_ONCE = 16
"""The same outside such loops."""
CHAINS = 4
"""Sums that should be under way at the same time, since each addition waits for the one before."""
TILES = (4, 3, 2)
"""Rows of a matrix that are multiplied at once, so that what they are multiplied by is read once for all."""
LONGEST_CHAIN = 128
"""Additions in a row up to which a sum is not taken in parts: more would lose digits."""
MOST_BLOCKS = 8
"""Parts one after the other; `write` has another way for even longer sums."""
SIDE_BY_SIDE = 2
"""Samples that are computed side by side, so that the processor can do one while it waits for another."""
SMALL_BODY = 400
"""Elements written out in the loop over samples up to which that pays: registers are few."""
MORE_SIDE_BY_SIDE, TINY_BODY = 4, 80
"""The same where long sums are most of the work, each addition of which waits for the one before."""


def split(
    statements: list[Statement], outputs: Collection[Buffer], samples: int | None, besides: int = 0
) -> tuple[list[Statement], int]:
    """The statements that outputs need, with their loops chosen, and the elements written out for a sample.

    Args:
        statements: all there are.
        outputs: what is needed.
        samples: how many there are.
        besides: elements that are written out for a sample elsewhere. That they count here makes sums the
            same, to the last bit, whether a batch is made apart or not.
    """
    statements = _needed(statements, outputs)
    if samples is not None:
        for statement in statements:
            _find_samples(statement, samples)
    statements = [_collapsed(statement) for statement in statements]
    for statement in statements:
        _choose_loops(statement)
    copies = set(map(id, outputs))
    body = sum(
        _written_out(s) for s in statements if s.sample is not None and id(s.dest.buffer) not in copies
    )
    beside = 1
    if samples is not None and samples % SIDE_BY_SIDE == 0 and body + besides <= SMALL_BODY:
        more = samples % MORE_SIDE_BY_SIDE == 0 and body + besides <= TINY_BODY and _mostly_sums(statements)
        beside = MORE_SIDE_BY_SIDE if more else SIDE_BY_SIDE
        statements = [s if s.sample is None else _divided(s, s.sample, beside) for s in statements]
    # A sum's parts are those of two samples side by side, however many there are: bits must not depend on it.
    again = max(1, beside // SIDE_BY_SIDE)
    return [part for statement in statements for part in _in_parts(_tiled(statement), again)], body


def _mostly_sums(statements: list[Statement]) -> bool:
    """Whether samples have long sums, and those over samples fold nothing else, whose order would change."""
    sampled = [s for s in statements if s.sample is not None]
    long = any(s.fold is not None and s.folded(s.loops[-1]) and s.loops[-1] != s.sample for s in sampled)
    mixed = any(
        s.sample is not None and s.folded(s.sample) and sum(s.folded(d) for d in range(len(s.shape))) > 1
        for s in sampled
    )
    return long and not mixed


def _needed(statements: list[Statement], outputs: Collection[Buffer]) -> list[Statement]:
    needed = set(map(id, outputs))
    kept = []
    for statement in reversed(statements):
        if id(statement.dest.buffer) in needed:
            kept.append(statement)
            needed |= {id(arg.buffer) for arg in statement.args}
    return kept[::-1]


def _find_samples(statement: Statement, samples: int) -> None:
    """Tell the dimension that samples lie along: where an argument has them, else any of that length."""
    candidates = [d for d, n in enumerate(statement.shape) if n == samples]
    certain = [
        d
        for d in candidates
        if any(a.buffer.sample_stride and a.strides[d] == a.buffer.sample_stride for a in statement.args)
    ]
    computed = any(a.buffer.values is None for a in statement.args)
    if certain or (candidates and not computed):
        statement.sample = (certain or candidates)[0]
        if statement.dest.strides[statement.sample]:
            statement.dest.buffer.sample_stride = statement.dest.strides[statement.sample]


def _collapsed(statement: Statement) -> Statement:
    """Neighbouring dimensions that every view runs through in one go are one dimension."""
    views, shape, sample = [statement.dest, *statement.args], list(statement.shape), statement.sample
    d = 0
    while d + 1 < len(shape):
        n = shape[d + 1]
        if sample not in (d, d + 1) and all(v.strides[d] == v.strides[d + 1] * n for v in views):
            shape[d : d + 2] = [shape[d] * n]
            views = [v.without(d) for v in views]
            sample = sample - 1 if sample is not None and sample > d else sample
        else:
            d += 1
    return replace(statement, dest=views[0], args=views[1:], shape=tuple(shape), sample=sample)


def _choose_loops(statement: Statement) -> None:
    """Samples outermost, then long dimensions, then those that are folded away, which then need no memory."""
    rest = [d for d in range(len(statement.shape)) if d != statement.sample]
    loops = [d for d in rest if statement.shape[d] > SHORT]
    most = WRITTEN_OUT_ONCE if statement.sample is None else WRITTEN_OUT
    while math.prod(statement.shape[d] for d in rest if d not in loops) > most:
        loops.append(max((d for d in rest if d not in loops), key=lambda d: statement.shape[d]))
    first = () if statement.sample is None else (statement.sample,)
    statement.loops = (*first, *sorted(loops, key=lambda d: (statement.folded(d), d)))


def _written_out(statement: Statement) -> int:
    return math.prod(n for d, n in enumerate(statement.shape) if d not in statement.loops)


def _divided(statement: Statement, dimension: int, inner: int) -> Statement:
    """The same statement with a dimension in two: a loop over groups, and `inner` neighbours written out."""

    def divide(view: View) -> View:
        stride = view.strides[dimension]
        return View(view.buffer, view.offset, (*_with(view.strides, dimension, stride * inner), stride))

    shape = (*_with(statement.shape, dimension, statement.shape[dimension] // inner), inner)
    args = [divide(arg) for arg in statement.args]
    divided = replace(statement, dest=divide(statement.dest), args=args, shape=shape)
    if shape[dimension] == 1:
        divided.loops = tuple(d for d in statement.loops if d != dimension)
    return divided


def _tiled(statement: Statement) -> Statement:
    """A product of matrices with some rows side by side."""
    rows = [d for d in statement.loops if d != statement.sample and not statement.folded(d)]
    if statement.fold is None or statement.fold.name != "dot" or not rows or statement.loops[-1] == rows[0]:
        return statement
    tile = next((n for n in TILES if statement.shape[rows[0]] % n == 0), 1)
    return statement if tile == 1 else _divided(statement, rows[0], tile)


def _in_parts(statement: Statement, again: int = 1) -> list[Statement]:
    """A long sum as a sum of several sums: some side by side, and those one after the other in blocks.

    Of the sums that are under way at the same time anyway, only every so many count.
    """
    last = statement.loops[-1] if statement.loops else None
    if statement.fold is None or last is None or last == statement.sample or not statement.folded(last):
        return [statement]
    sums_samples = statement.sample is not None and statement.folded(statement.sample)
    if statement.fold.name not in ("sum", "dot") or (sums_samples and len(statement.loops) > 2):
        return [statement]
    written_out = [d for d in range(len(statement.shape)) if d not in statement.loops]
    chains = math.prod(statement.shape[d] for d in written_out if not statement.folded(d))
    if statement.sample is not None and not sums_samples:
        chains //= again
    beside = max(1, CHAINS // chains)
    blocks = min(MOST_BLOCKS, -(-statement.shape[last] // (beside * LONGEST_CHAIN)))
    return [statement] if beside * blocks == 1 else _divided_sum(statement, last, beside, blocks)


def _divided_sum(statement: Statement, dimension: int, beside: int, blocks: int) -> list[Statement]:
    """A fold over blocks · turns · beside numbers: blocks and those beside are kept, then summed up."""
    count = beside * blocks
    turns, rest = divmod(statement.shape[dimension], count)
    whole = turns * count
    size = count + bool(rest)
    parts = Buffer(statement.dest.buffer.size * size, statement.dest.buffer.kind)
    parts.sample_stride = statement.dest.buffer.sample_stride * size
    strides = tuple(stride * size for stride in statement.dest.strides)
    offset = statement.dest.offset * size
    kept = [d for d in range(len(statement.shape)) if not statement.folded(d)]

    def divide(view: View) -> View:
        stride = view.strides[dimension]
        own = _with(view.strides, dimension, stride * beside)
        return View(view.buffer, view.offset, (*own, stride * turns * beside, stride))

    rank = len(statement.shape)
    main = replace(
        statement,
        dest=View(parts, offset, (*strides, beside, 1)),
        args=[divide(arg) for arg in statement.args],
        shape=(*_with(statement.shape, dimension, turns), blocks, beside),
        loops=(*statement.loops[:-1], *((rank,) if blocks > 1 else ()), dimension),
    )
    found = [main]
    if rest:
        end = [View(a.buffer, a.offset + whole * a.strides[dimension], a.strides) for a in statement.args]
        shape, dest = _with(statement.shape, dimension, rest), View(parts, offset + count, strides)
        found.append(replace(statement, dest=dest, args=end, shape=shape, loops=statement.loops[:-1]))
    total = View(
        statement.dest.buffer, statement.dest.offset, (*(statement.dest.strides[d] for d in kept), 0)
    )
    source = View(parts, offset, (*(strides[d] for d in kept), 1))
    final = Statement(total, "{}".format, [source], (*(statement.shape[d] for d in kept), size))
    final.fold = FOLDS[parts.kind, "sum"]
    final.sample = kept.index(statement.sample) if statement.sample in kept else None
    final.loops = tuple(kept.index(d) for d in statement.loops if d in kept)
    return [*found, final]


def _with(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    return (*values[:place], value, *values[place + 1 :])
