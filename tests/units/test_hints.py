"""What units say about their training."""

from nalm import INALU, NAU, NMRU, Constant, Recipe, Restart, TrainingHints


def test_hints_replace_fields_of_a_recipe_and_leave_the_others() -> None:
    task = Recipe(iterations=2000, learning_rate=0.5, clip_norm=3.0)
    hints = TrainingHints(learning_rate=0.25, penalties=(("sparse", Constant(2.0)),), restart=Restart())
    assert hints.applied(task) == Recipe(
        iterations=2000,
        learning_rate=0.25,
        clip_norm=3.0,
        penalties=(("sparse", Constant(2.0)),),
        restart=Restart(),
    )


def test_units_without_hints_take_the_task_as_it_is() -> None:
    task = Recipe(penalties=(("sparse", Constant(1.0)),))
    assert NAU.hints.applied(task) == task


def test_an_empty_tuple_switches_penalties_off() -> None:
    task = Recipe(penalties=(("sparse", Constant(1.0)),))
    assert TrainingHints(penalties=()).applied(task).penalties == ()


def test_what_was_published_for_units() -> None:
    assert INALU.hints == TrainingHints(clip_value=0.1, restart=Restart(every=10, window=5000, threshold=1.0))
    assert NMRU.hints == TrainingHints(clip_norm=1.0)
