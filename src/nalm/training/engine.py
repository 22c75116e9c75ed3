"""Many runs at once: each with its own seed, range, learning rate, schedule and random stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import torch

from nalm.training.checkpoint import Checkpoint, Checkpoints
from nalm.training.execution import advance_together
from nalm.training.in_training import ChunkInTraining
from nalm.training.run import Curve, Run
from nalm.training.structure import Chunk, chunks, together

Progress = Callable[[int], None]
"""Called with the number of run-iterations done since the last call."""


def train(runs: Iterable[Run], *, replay: bool = False, progress: Progress | None = None) -> list[Curve]:
    """Train runs and return their curves in the same order.

    Runs that share a network's structure are trained together, and the result of each is the same, to the
    last bit, as if it were trained alone: it depends on its configuration and seed only.

    Args:
        runs: what to train.
        replay: draw training samples exactly as the reference implementations do, from numpy's generator.
        progress: called now and then with the run-iterations done since the last call.

    Example:
        >>> from nalm import Architecture, Layer, Recipe, Run, train
        >>> from nalm.tasks import single_module
        >>> nmu = Architecture((Layer("NMU", 2, 1),))
        >>> run = Run(nmu, single_module("mul"), Recipe(iterations=4000), seed=0)
        >>> curve, = train([run])
        >>> bool(curve.test[-1] < 1e-6), curve.iterations.tolist()
        (True, [0, 1000, 2000, 3000, 4000])
    """
    runs = list(runs)
    done: dict[Run, Curve] = {}
    for chunk, curves in train_chunks(chunks(runs, replay), progress=progress):
        done.update(zip(chunk.runs, curves, strict=True))
    return [done[run] for run in runs]


def train_chunks(
    work: Sequence[Chunk], *, progress: Progress | None = None, checkpoints: Checkpoints | None = None
) -> Iterator[tuple[Chunk, list[Curve]]]:
    """Train chunk after chunk, yielding each as soon as it is finished.

    Chunks that read the same random numbers, and many of them, are trained in lockstep. With `checkpoints`, a
    half-trained chunk found there is finished; whoever keeps its curves discards it.
    """
    threads = torch.get_num_threads()
    # One thread: the order of additions inside a kernel must not depend on the machine's load.
    torch.set_num_threads(1)
    try:
        for group in together(work):
            yield from _train_together(group, progress, checkpoints)
    finally:
        torch.set_num_threads(threads)


def _train_together(
    group: Sequence[Chunk], progress: Progress | None, checkpoints: Checkpoints | None
) -> Iterator[tuple[Chunk, list[Curve]]]:
    """Several chunks at once: those that stand at the same iteration go on together."""
    training = [ChunkInTraining(chunk, _checkpoint(chunk, checkpoints)) for chunk in group]
    for own in training:
        if progress is not None and own.done:
            progress(own.done)
    while going := [own for own in training if not own.finished]:
        first = min(own.at for own in going)
        due = [own for own in going if own.at == first]
        last = min(own.stop for own in due)
        states = advance_together([own.stretch(last) for own in due], first, last)
        for own, state in zip(due, states, strict=True):
            trained = (last - first) * own.going
            expected = own.done + trained
            if progress is not None:
                progress(trained)
            own.move(state, last)
            if progress is not None and own.done > expected:
                progress(own.done - expected)
    for own in training:
        yield own.chunk, own.curves()


def _checkpoint(chunk: Chunk, checkpoints: Checkpoints | None) -> Checkpoint | None:
    resumable = chunk.structure.supplier.resumable
    return checkpoints.of(chunk) if checkpoints is not None and resumable else None
