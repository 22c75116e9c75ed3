import pytest

from nalm import Ramp, Recipe, Staircase, Triggered
from nalm.units.restart import Restart


def test_scaling_shrinks_every_schedule_and_keeps_the_rows():
    recipe = Recipe(
        50_000,
        then=(10_000, "mse"),
        loss="pcc",
        penalties=(
            ("sparse", Ramp(10.0, 20_000, 35_000)),
            ("l1", Staircase(1e-9, 1e-7)),
            ("gate", Triggered(1.0, 10_000, 1.0)),
        ),
        restart=Restart(),
        cooldown=20_000,
    )
    short = recipe.scaled(0.1)
    assert short.cooldown == 2000
    assert recipe.cut(0.5).cooldown == 0
    assert (short.iterations, short.evaluate_every) == (5000, 100)
    assert short.then == (1000, "mse")
    assert dict(short.penalties) == {
        "sparse": Ramp(10.0, 2000, 3500),
        "l1": Staircase(1e-9, 1e-7, every=1000),
        "gate": Triggered(1.0, 1000, 1.0),
    }
    assert short.restart == Restart(every=1, window=500)
    assert recipe.scaled(1) is recipe


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"optimiser": "lion"}, "unknown optimiser 'lion'; known: adam, sgd, momentum"),
        ({"loss": "mae"}, "unknown loss 'mae'"),
        ({"then": (10, "mae")}, "unknown loss 'mae'"),
        ({"iterations": 0}, "iterations must be at least 1"),
        ({"iterations": 1500}, "must be a multiple of evaluate_every"),
        ({"cooldown": 50_001}, "cooldown must be 0 to 50000 iterations"),
        ({"cooldown": 10, "optimiser": "sgd"}, "steps of Adam alone can be cooled down, not of 'sgd'"),
    ],
)
def test_mistakes_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        Recipe(**options)
