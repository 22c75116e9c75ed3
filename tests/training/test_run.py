import dataclasses
import json

import pytest

from nalm import Architecture, Layer, Ramp, Recipe, Restart, Run
from nalm.tasks import single_module

NMU = Architecture((Layer("NMU", 2, 1),))
RUN = Run(NMU, single_module("mul"), Recipe(penalties=(("sparse", Ramp(10.0, 20_000, 35_000)),)), seed=3)


def test_equal_runs_have_equal_identities():
    same = Run(
        Architecture((Layer("NMU", 2, 1),)),
        single_module("mul", interpolation="[1,2]"),
        Recipe(penalties=(("sparse", Ramp(10.0, 20_000, 35_000)),)),
        seed=3,
    )
    assert same.identity == RUN.identity


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 4},
        {"task": single_module("add")},
        {"task": single_module("mul", interpolation="[-2, 2)")},
        {"architecture": Architecture((Layer("SNMU", 2, 1),))},
        {"architecture": Architecture((Layer("SNMU", 2, 1, (("noise", "batch"),)),))},
        {"recipe": Recipe()},
        {"recipe": dataclasses.replace(RUN.recipe, learning_rate=2e-3)},
        {"recipe": dataclasses.replace(RUN.recipe, penalties=(("sparse", Ramp(1.0, 20_000, 35_000)),))},
    ],
)
def test_every_difference_shows_in_the_identity(change):
    assert dataclasses.replace(RUN, **change).identity != RUN.identity


def test_corrections_are_part_of_the_identity():
    assert "revisions" not in RUN.configuration
    conserving = dataclasses.replace(RUN, architecture=Architecture((Layer("MulMCFC", 2, 1),)))
    assert conserving.configuration["revisions"] == {"MulMCFC": 1}
    corrected = Recipe(loss="mse", then=(100, "pcc"), restart=Restart())
    assert dataclasses.replace(RUN, recipe=corrected).configuration["revisions"] == {"pcc": 1, "restart": 1}


def test_the_configuration_is_plain_data():
    read = json.loads(json.dumps(RUN.configuration))
    assert read["task"]["train"] == {"type": "Uniform", "low": 1.0, "high": 2.0}
    assert read["recipe"]["penalties"] == [
        ["sparse", {"type": "Ramp", "strength": 10.0, "start": 20_000, "end": 35_000}]
    ]


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="takes 2 inputs, the task has 10"):
        Run(NMU, single_module("mul", inputs=10), Recipe(), seed=0)
    with pytest.raises(ValueError, match="a seed must lie in"):
        Run(NMU, single_module("mul"), Recipe(), seed=-1)
    unhashable = Architecture((Layer("NMU", 2, 1, (("option", object()),)),))
    with pytest.raises(TypeError, match="cannot be part of a run's configuration"):
        _ = Run(unhashable, single_module("mul"), Recipe(), seed=0).identity
