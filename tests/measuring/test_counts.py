"""Tests and intervals of counts, against values computed by hand or known from the literature."""

import math

import pytest
from scipy import stats

from nalm.measuring.counts import Count, Pairing, common_difference, difference, holm, mid_p, sign_test


def test_mid_p_by_hand() -> None:
    # Margins of 2 and 4 runs and 2 successes: hypergeometric 6/15, 8/15, 1/15.
    table = [(Count(2, 2), Count(0, 4))]
    assert mid_p(table, "greater") == pytest.approx(1 / 30)
    assert mid_p(table, "less") == pytest.approx(29 / 30)
    assert mid_p(table) == pytest.approx(1 / 30)
    assert mid_p([(Count(1, 2), Count(1, 4))]) == pytest.approx(1 / 15 + 6 / 15 + 4 / 15)


@pytest.mark.parametrize(("a", "b"), [((3, 25), (10, 25)), ((0, 8), (4, 4)), ((31, 100), (14, 37))])
def test_mid_p_is_fishers_less_half_of_the_observed(a: tuple[int, int], b: tuple[int, int]) -> None:
    first, second = Count(*a), Count(*b)
    rows = [[c.solved, c.runs - c.solved] for c in (first, second)]
    exact = stats.fisher_exact(rows, alternative="less").pvalue
    chance = stats.hypergeom.pmf(a[0], a[1] + b[1], a[0] + b[0], a[1])
    assert mid_p([(first, second)], "less") == pytest.approx(exact - chance / 2)


def test_several_tables_are_stronger_than_each_and_opposite_ones_cancel() -> None:
    table = (Count(6, 12), Count(10, 12))
    assert mid_p([table] * 4) < mid_p([table] * 2) < mid_p([table])
    assert mid_p([table, table[::-1]]) == pytest.approx(0.5, abs=0.51)
    assert mid_p([table, table[::-1]]) > 0.8


def test_tables_of_one_rate_say_nothing() -> None:
    assert mid_p([(Count(25, 25), Count(25, 25))]) == pytest.approx(0.5)
    assert mid_p([(Count(0, 0), Count(3, 4))]) == pytest.approx(0.5)


def test_newcombes_interval_is_the_published_one() -> None:
    # Newcombe 1998 (II), table II, method 10.
    for (a, m), (b, n), low, high in [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((10, 10), (0, 20), 0.6791, 1.0),
    ]:
        found = difference(Count(a, m), Count(b, n), 0.95)
        assert (found.low, found.high) == pytest.approx((low, high), abs=6e-5)


def test_the_common_difference_of_equal_tables_is_theirs_and_narrower() -> None:
    one = difference(Count(20, 25), Count(15, 25))
    four = common_difference([(Count(20, 25), Count(15, 25))] * 4)
    assert four.value == pytest.approx(one.value)
    assert four.high - four.value == pytest.approx((one.high - one.value) / 2)


def test_pairs_are_counted_and_tested() -> None:
    pairing = Pairing.of([(True, True), (True, False), (True, False), (False, True), (False, False)])
    assert pairing == Pairing(1, 2, 1, 1)
    assert pairing + pairing == Pairing(2, 4, 2, 2)
    assert Pairing(10, 5, 0, 10).p() == pytest.approx(1 / 32)
    assert Pairing(10, 0, 5, 10).p() == 1
    assert Pairing(10, 0, 0, 15).p() == 1


def test_pairing_narrows_the_interval_of_runs_that_go_together() -> None:
    together, apart = Pairing(45, 5, 0, 50).difference(), difference(Count(50, 100), Count(45, 100))
    assert together.value == pytest.approx(apart.value)
    assert together.high - together.low < apart.high - apart.low


def test_holm_never_lowers_and_keeps_the_order() -> None:
    assert holm([0.001, 0.02, 0.03]) == pytest.approx([0.003, 0.04, 0.04])
    assert holm([0.5]) == [0.5]
    assert holm([]) == []


def test_signs_without_ties() -> None:
    assert sign_test(5, 0) == pytest.approx(1 / 32)
    assert sign_test(0, 0) == 1
    assert sign_test(3, 3, "two-sided") == 1


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="5 of 4 runs"):
        Count(5, 4)
    assert math.isnan(Count(0, 0).share)
    assert Count(0, 0).wilson(0.9) == (0, 1)
