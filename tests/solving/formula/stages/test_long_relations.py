"""Relations of many terms, solved for y in factors."""

import numpy as np
import pytest

from nalm.solving.formula.examination import examine
from nalm.solving.formula.stages.relation import null_vectors, relations
from nalm.solving.formula.stages.root_relations import low_degree, monomials_of


@pytest.mark.parametrize(
    ("law", "columns"),
    [
        (lambda a, b, c, d: (a + b - 2 * d) * (b + b / (2 * d) - c * d - d + 1.5), 4),
        (lambda a, b, c: c / (a + 8.3) - a * np.sqrt(c + b + (a + c) / a), 3),
    ],
    ids=["product of sums", "root beside a quotient"],
)
def test_few_numbers_are_left(posed, law, columns) -> None:
    problem = posed(law, columns=columns, rows=900)
    verified = [f for f in (*relations(problem), *low_degree(problem)) if examine(f, problem)[1].verified]
    assert min(len(f.constants) for f in verified) <= 8


@pytest.mark.parametrize(
    ("law", "box"),
    [
        (lambda a, b, c: c + (a - b) * np.sqrt(a * c + b), (3, 3, 2, 2)),
        (lambda a, b, c: (a - b) * np.sqrt(a + c) / (a + b), (3, 3, 1, 2)),
        (lambda a, b, c: (a + c) / (b * (c - b) + 5 + np.sqrt(a + b * c)), (2, 4, 2, 2)),
    ],
    ids=["beside a sum", "alone", "in a denominator"],
)
def test_a_root_has_the_sign_of_what_stands_before_it(posed, law, box) -> None:
    problem = posed(law, columns=3, rows=900)
    formulas = null_vectors(problem, monomials_of(box), set())
    assert any(examine(formula, problem)[1].verified for formula in formulas)


def test_the_root_of_a_number_before_a_column(posed) -> None:
    problem = posed(lambda a, b: a + 1.7 + b - np.sqrt(2 * a) - b * np.sqrt(a + b) / a, rows=600)
    assert any(examine(formula, problem)[1].verified for formula in low_degree(problem))


def test_numbers_that_are_no_fractions_make_no_factors(posed) -> None:
    odd = np.random.default_rng(5).uniform(1, 2, 16)

    def law(a, b, c):
        return sum(k * a**i * b**j * c**m for k, (i, j, m) in zip(odd, np.ndindex(3, 3, 2), strict=False))

    problem = posed(law, columns=3, rows=900)
    assert not list(null_vectors(problem, monomials_of((2, 2, 1, 1)), set()))
