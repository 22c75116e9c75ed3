"""Products and quotients of sums."""

import time

import numpy as np
import pytest
import torch

from nalm.solving.answer import Status
from nalm.solving.network.fit_evidence import judge_fit
from nalm.solving.network.limits import SearchLimits
from nalm.solving.network.products import products_of_sums, structures
from nalm.solving.network.samples import prepare
from nalm.units import Kind

BINARY, TERNARY = (0.0, 1.0), (-1.0, 0.0, 1.0)


def solved(x, y, exponents, width, sums=TERNARY):
    generator = torch.Generator().manual_seed(0)
    (data,) = prepare(x, y, x.shape[1], 1, generator)
    limits = SearchLimits(generator, time.monotonic() + 20)
    for fit in products_of_sums(data, Kind.POWER, sums, exponents, width, limits):
        judgement = judge_fit(fit, data)
        if judgement is not None and judgement.status is Status.VERIFIED:
            return [matrix.tolist() for matrix in fit.snapped.matrices]
    return None


@pytest.fixture
def x():
    return np.random.default_rng(0).uniform(-2, 2, (300, 5))


def test_structures_of_multiplication_have_no_quotients():
    assert list(structures(BINARY, width=3)) == [(1.0,), (1.0, 1.0), (1.0, 1.0, 1.0)]


def test_structures_of_real_exponents_try_roots_and_squares_of_one_sum():
    assert list(structures((), width=1)) == [(1.0,), (-1.0,), (0.5,), (-0.5,), (2.0,), (-2.0,)]


def test_a_product(x):
    rows, powers = solved(x, (x[:, 0] + x[:, 1]) * (x[:, 1] - x[:, 4]), BINARY, width=2)
    assert powers == [[1.0, 1.0]]
    assert sorted(map(tuple, rows)) in (
        [(0.0, 1.0, 0.0, 0.0, -1.0), (1.0, 1.0, 0.0, 0.0, 0.0)],
        [(-1.0, -1.0, 0.0, 0.0, 0.0), (0.0, -1.0, 0.0, 0.0, 1.0)],
    )


def test_a_square_is_a_product_of_equal_sums(x):
    rows, powers = solved(x, (x[:, 0] + x[:, 1]) ** 2, BINARY, width=2)
    assert powers == [[1.0, 1.0]]
    assert rows == [[1.0, 1.0, 0.0, 0.0, 0.0]] * 2


def test_a_reciprocal_of_a_product():
    x = np.random.default_rng(1).uniform(1, 2, (300, 4))
    rows, powers = solved(x, 1 / ((x[:, 0] + x[:, 1]) * (x[:, 2] + x[:, 3])), TERNARY, width=2)
    assert powers == [[-1.0, -1.0]]
    assert sorted(map(tuple, rows)) == [(0.0, 0.0, 1.0, 1.0), (1.0, 1.0, 0.0, 0.0)]


def test_a_product_of_three_sums(x):
    rows, powers = solved(x, (x[:, 0] + x[:, 1]) * (x[:, 2] + x[:, 3]) * (x[:, 4] + x[:, 0]), BINARY, width=3)
    assert powers == [[1.0, 1.0, 1.0]]
    assert np.abs(np.array(rows)).sum(axis=0).tolist() == [2.0, 1.0, 1.0, 1.0, 1.0]


def test_the_root_of_a_sum():
    x = np.random.default_rng(1).uniform(1, 2, (100, 3))
    rows, powers = solved(x, np.sqrt(x[:, 0] + x[:, 2]), (), width=2)
    assert powers == [[0.5]]
    assert rows == [[1.0, 0.0, 1.0]]


def test_few_samples_suffice_for_sparse_sums():
    x = np.random.default_rng(2).uniform(1, 2, (110, 40))
    # 90 fitted rows for 80 unknowns.
    rows, _ = solved(x, x[:, :5].sum(axis=1) * x[:, 3:9].sum(axis=1), BINARY, width=2)
    assert sorted(sum(row) for row in rows) == [5.0, 6.0]
