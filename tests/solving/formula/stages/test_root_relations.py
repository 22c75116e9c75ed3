"""Relations of high degree, and those with a root as one more column."""

import numpy as np
import pytest

from nalm.solving.formula.examination import examine
from nalm.solving.formula.stages.root_relations import (
    boxes,
    large_boxes,
    low_degree,
    monomials_of,
    seems_dependent,
    small_boxes,
)


@pytest.mark.parametrize(
    ("law", "columns"),
    [
        (lambda a, b, c, d: b + d * (d + (d - a) / c) / np.sqrt(b + c), 4),
        (lambda a, b, c: np.sqrt(a + np.sqrt(a + b) + np.sqrt(b * (c + 1))), 3),
        (lambda a, b, c, d: 8 + (3.8 - d + 9.3 / b) / (a * c * d * (b - c)), 4),
    ],
    ids=["one root", "roots in a root", "with a pole"],
)
def test_the_relation_is_found(posed, law, columns) -> None:
    problem = posed(law, columns=columns, rows=600)
    assert any(examine(formula, problem)[1].verified for formula in low_degree(problem))


def test_a_box_holds_what_no_total_degree_does(posed) -> None:
    problem = posed(lambda a, b, c: np.sqrt(b**2 * c + c * a * np.sqrt(c + 1.6)), columns=3, rows=600)
    assert any(examine(formula, problem)[1].verified for formula in small_boxes(problem))


def test_nothing_is_found_without_a_relation(posed) -> None:
    problem = posed(lambda a, b: a * np.sin(3 * b), columns=2, rows=300)
    assert not any(examine(formula, problem)[1].verified for formula in low_degree(problem))


def test_boxes_are_as_large_as_allowed() -> None:
    for box in boxes(3, 20):
        size = np.prod(np.array(box) + 1)
        assert size <= 20
        assert len(monomials_of(box)) == size
    assert (1, 1, 4) in boxes(3, 20)
    assert (1, 1, 1) not in boxes(3, 20)


def test_the_quick_look_sees_every_relation(posed) -> None:
    problem = posed(lambda a, b, c: (a * b + c) / (c - 4 * a * b), columns=3, rows=600)
    assert seems_dependent(problem, monomials_of((1, 1, 1, 1)))
    assert not seems_dependent(problem, monomials_of((1, 1, 0, 1)))


def test_a_sum_of_high_degree(posed) -> None:
    problem = posed(lambda a, b, c, d: a * b**3 * (d - 4 * a) * (c + d) * (b * d + c), columns=4, rows=700)
    assert any(examine(formula, problem)[1].verified for formula in large_boxes(problem))


def test_minus_a_root(posed) -> None:
    problem = posed(lambda a, b, c: -np.sqrt(b**2 * c + c * a * np.sqrt(c + 1.6)), columns=3, rows=600)
    assert any(examine(formula, problem)[1].verified for formula in small_boxes(problem))
