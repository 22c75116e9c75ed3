"""Nothing that ships needs the slow path: an iteration of every unit and every study can be said in C.

Tracing and lowering only; `tests/compiler/test_networks.py` builds and runs networks.
"""

import pytest

from nalm import Architecture, Layer, Recipe, Run, chunks
from nalm.compiler import Unsupported
from nalm.compiler.kernel import Kernel
from nalm.studies.catalogue import STUDIES
from nalm.studies.study import BUDGETS
from nalm.tasks import single_module
from nalm.training.compiled import CompiledProgram
from nalm.training.feed import Feed
from nalm.training.run_program import RunProgram, Settings, flat, nested
from nalm.training.structure import Structure
from nalm.units.registry import units


@pytest.fixture
def traced_only(monkeypatch):
    monkeypatch.setattr(Kernel, "start", lambda self: None)
    monkeypatch.setattr(Kernel, "address", 0)


def traced(run: Run) -> tuple[CompiledProgram, Feed]:
    """Raises `Unsupported` if an iteration cannot be compiled."""
    (chunk,) = chunks([run])
    feed = Feed(chunk)
    settings = nested(Settings, {name: value[0] for name, value in flat(feed.settings).items()})
    return CompiledProgram(RunProgram(chunk.structure), settings), feed


@pytest.mark.usefixtures("traced_only")
@pytest.mark.parametrize("unit", sorted(units()))
def test_a_unit_can_be_compiled(unit):
    code, feed = traced(Run(Architecture((Layer(unit, 2, 1),)), single_module("add"), Recipe(), 0))
    code.build(feed.evaluation)


def is_size(value):
    return isinstance(value, int | float) and not isinstance(value, bool)


def kind_of_network(architecture):
    """What a network is made of, whatever its sizes and the numbers among its options."""
    if not isinstance(architecture, Architecture):
        options = tuple((name, value) for name, value in architecture.options if not is_size(value))
        return architecture.path, options
    return tuple(
        (layer.unit, tuple((name, value) for name, value in layer.options if isinstance(value, bool | str)))
        for layer in architecture.layers
    )


def one_of_each_kind() -> list[Run]:
    """Of all studies, a run of every network on every kind of task, and one of every kind of recipe.

    Networks so large that a study declares them not to be trained side by side are not compiled at all.
    """
    found: dict[object, Run] = {}
    for study in STUDIES.values():
        for cell in study.cells:
            run = cell.run(BUDGETS["full"], 0)
            structure = Structure.of(run)
            if structure.supplier.side_by_side:
                task = type(structure.supplier), run.task.operation
                found.setdefault((kind_of_network(structure.architecture), task[0]), run)
                found.setdefault(task, run)
                recipe = structure.optimiser, structure.losses, structure.terms
                flags = structure.clips_value, structure.clips_norm, structure.noisy_gradients
                found.setdefault((recipe, flags), run)
    return list(dict.fromkeys(found.values()))


@pytest.mark.usefixtures("traced_only")
def test_every_study_can_be_compiled():
    failed = {}
    for run in one_of_each_kind():
        try:
            traced(run)
        except Unsupported as error:
            failed[f"{run.architecture}, {run.task.operation}"] = str(error)
    assert not failed
