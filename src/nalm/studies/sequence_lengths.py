"""How far the minimum of a list, and counting an element, carry beyond the length of training.

002 appendix D.3.2 says that a recurrent NSR finds the minimum perfectly in all extrapolations, and that
counting gets worse as sequences grow. All else is chosen here: the networks and recipes are those of
`sequences` (counting) and `shortest-paths` (the minimum), trained on sequences of ten; every length of the
test is a column of the curve. A run is solved at a length if its root mean square error there is below 1 % of
the targets' root mean square. The minimum is followed to a hundred only: its code is compiled for every
length, which takes a minute at a hundred and four times as long at twice the length. The table by length has
finished networks at a thousand too.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

from nalm.networks.architecture import ModuleNetwork
from nalm.studies.cells import by_operation, cell
from nalm.studies.sequence_studies import COUNTER, NSR, PULLED, TOLERANCE
from nalm.studies.shortest_paths import MODELS, SHARP, selection
from nalm.studies.study import Cell
from nalm.tasks.sequences import SequenceTask
from nalm.training.recipes import Recipe

LENGTHS = {"minimum": (10, 20, 50, 100), "count": (10, 20, 50, 100, 1000)}
"""What is tested, by operation; training has the first."""
SELECTING = ("NSR, λ = 100", SHARP)
COUNTING = {f"NSR, redundancy {pairs}": pairs for pairs in (1, 5)}


def setting(length: int) -> str:
    """What a test is called in tables."""
    return f"length {length}"


@functools.cache
def limit_at(task: SequenceTask, length: int) -> float:
    """The squared error that is 1 % of the targets' root mean square, at a length of the test."""
    _, y = task.at(length, task.test_magnitude).drawn(task.evaluation_size, seed=0)
    return float(TOLERANCE**2 * y.square().mean())


def _limit(own: Cell) -> float:
    assert isinstance(own.task, SequenceTask)
    return limit_at(own.task, int(own.setting.rpartition(" ")[2]))


def _networks() -> Iterator[tuple[str, str, ModuleNetwork, Recipe]]:
    for label in SELECTING:
        scale, recipe = MODELS[label]
        yield "minimum", label, selection(1, scale), recipe
    for label, pairs in COUNTING.items():
        yield "count", label, ModuleNetwork(COUNTER, (("features", 2), ("redundancy", pairs))), PULLED


def _cells() -> Iterator[Cell]:
    for operation, label, network, recipe in _networks():
        *others, longest = LENGTHS[operation]
        task = SequenceTask(operation, test_length=longest, lengths=tuple(others))
        for length in LENGTHS[operation]:
            column = task.length_column(length)
            yield cell(label, network, task, recipe, record=NSR, setting=setting(length), column=column)


SEQUENCE_LENGTHS = by_operation(
    name="sequence-lengths",
    title="The minimum of a list and counting an element by recurrent NSRs, by length of the sequence",
    source="002 appendix D.3.2, after Faber & Wattenhofer 2020; settings chosen here",
    cells=tuple(_cells()),
    seeds=25,
    thresholds=(("1 % at the longest", lambda task: limit_at(task, task.test_length)),),
    gold=_limit,
    usual_inputs=(1, 2),
    tables=("by-operation", "by-length"),
)
