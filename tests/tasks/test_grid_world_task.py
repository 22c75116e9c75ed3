"""Episodes of the grid world."""

import torch

from nalm.networks.grid_world import FIELDS
from nalm.tasks.grid_world_task import FIRST_DUE, LAST_DUE, TESTED, GridWorldTask


def test_batches_have_the_times_of_training() -> None:
    supplier = GridWorldTask().supplier(400)
    (drawn,) = supplier.draws().values()
    u = torch.rand(drawn.shape, generator=torch.Generator().manual_seed(0))
    x, y = supplier.batch({}, {"u": u})
    assert x.shape == (400, LAST_DUE, FIELDS, GridWorldTask().inputs)
    assert set(x[..., -1].unique().tolist()) == set(range(FIRST_DUE, LAST_DUE + 1))
    assert (y == 1).all()


def test_later_times_are_tested() -> None:
    task = GridWorldTask()
    found = {batch.column: batch.x for batch in task.supplier(8).evaluation(task, seed=0)}
    assert {column: float(x[0, 0, 0, -1]) for column, x in found.items()} == {
        "validation": LAST_DUE,
        **{task.column(due): due for due in TESTED},
    }
    # With one step left it is one step before the time due.
    assert (found["test"][:, 0, :, -2] == TESTED[-1] - 1).all()
