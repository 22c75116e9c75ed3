"""No registered unit needs the slow path: an iteration and the measures of each can be said in C.

Tracing and lowering only; `tests/compiler/test_networks.py` builds and runs them.
"""

import pytest

from nalm import Architecture, Layer, Recipe, Run, chunks
from nalm.compiler.function import Function
from nalm.compiler.loop import Loop
from nalm.tasks import single_module
from nalm.training.compiled import CompiledProgram
from nalm.training.feed import Feed
from nalm.training.program import Program, Settings, flat, nested
from nalm.units.registry import units


@pytest.fixture
def traced_only(monkeypatch):
    for kind in (Loop, Function):
        for name in ("start_build", "build"):
            monkeypatch.setattr(kind, name, lambda self: None)


@pytest.mark.usefixtures("traced_only")
@pytest.mark.parametrize("unit", sorted(units()))
def test_a_unit_can_be_compiled(unit):
    (chunk,) = chunks([Run(Architecture((Layer(unit, 2, 1),)), single_module("add"), Recipe(), 0)])
    feed = Feed(chunk)
    settings = nested(Settings, {name: value[0] for name, value in flat(feed.settings).items()})
    code = CompiledProgram(Program(chunk.structure), settings)  # raises Unsupported otherwise
    code.build(feed.evaluation)
