"""Relations whose terms all scale alike."""

import numpy as np

from nalm.solving.formula.examination import examine
from nalm.solving.formula.stages.homogeneous import classes, homogeneous_relations
from nalm.solving.formula.symmetry import reductions


def energy(m, c, p, q):
    return np.sqrt((p - q) ** 2 * c**2 + m**2 * c**4) + p * c


def test_classes_hold_monomials_of_equal_dimensions(posed) -> None:
    (view, *_) = reductions(posed(lambda a, b, c: a * b / (b + c), columns=3))
    for monomials in classes(view, 3, most=40):
        # y scales as a does, and b as c does.
        dimensions = monomials[:, 0] + monomials[:, 3], monomials[:, 1] + monomials[:, 2]
        assert len(set(zip(*map(np.ndarray.tolist, dimensions), strict=True))) == 1
        assert not monomials.min(axis=0).any()


def test_a_relation_of_the_sixth_degree_in_five_variables_is_found(posed) -> None:
    problem = posed(energy, columns=4, rows=600)
    formula = next(iter(homogeneous_relations(problem)))
    assert examine(formula, problem)[1].verified


def test_nothing_is_found_without_a_relation(posed) -> None:
    problem = posed(lambda a, b, c: a * np.sin(b / c), columns=3, rows=300)
    assert not any(examine(f, problem)[1].verified for f in homogeneous_relations(problem))
