"""What models cannot represent."""

import pytest

from nalm.studies.least_error import LINEAR, OUT_OF_REACH, known, least_error
from nalm.studies.published_runs import UNITS, published_runs
from nalm.studies.rules.combined import MARGIN

ALL = [(unit, operation) for unit, operations in OUT_OF_REACH.items() for operation in operations]


def test_all_are_published_zeros_that_no_run_ever_touched() -> None:
    runs = published_runs().set_index(["unit", "operation"])
    assert len(ALL) == 31
    for unit, operation in ALL:
        assert runs.loc[(UNITS[unit], operation), "first_step_below"].isna().all()


@pytest.mark.parametrize(("unit", "operation"), ALL)
def test_the_threshold_is_far_from_all_of_them(unit: str, operation: str) -> None:
    least = known(unit, operation)
    runs = published_runs().set_index(["unit", "operation"]).loc[(UNITS[unit], operation)]
    assert min(least.error, runs["test_at_best"].min()) > MARGIN * least.threshold
    if least.proven:
        # The test set of another seed has other subsets: a little above is not exactly above.
        assert runs["test_at_best"].min() > 0.9 * least.error
    assert least.proven == (unit in LINEAR)


@pytest.mark.parametrize("operation", ["mul", "squared"])
def test_the_table_is_what_is_computed(operation: str) -> None:
    assert least_error("NAU", operation).error == pytest.approx(known("NAU", operation).error, rel=1e-3)
