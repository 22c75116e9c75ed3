"""The order of the stages, and when the search ends."""

import dataclasses
import time

import numpy as np
import sympy

from nalm.solving.formula.discovery import discover, only_noise
from nalm.solving.formula.selection import score
from nalm.solving.formula.stages import STAGES
from nalm.solving.formula.stages.mean import mean


def test_the_first_verified_formula_ends_the_search(posed) -> None:
    problem = posed(lambda a, b: a / (a + b))
    found = discover(problem)
    assert found is not None
    assert found.evidence.verified
    assert found.scored is None
    np.testing.assert_allclose(found.formula.predict(problem.x), problem.y, rtol=1e-12)
    assert found.formula.stage in ("relation", "monomial")


def test_algebra_alone_makes_no_random_starts(posed) -> None:
    found = discover(posed(lambda a, b: np.sin(a) * b), exact_only=True)
    exact = {stage.name for stage in STAGES if stage.exact}
    assert found is not None
    assert found.formula.stage in exact


def test_an_expired_search_still_answers(posed) -> None:
    problem = dataclasses.replace(posed(lambda a, b: np.sin(3 * a) * b), deadline=time.monotonic() - 1)
    found = discover(problem)
    assert found is not None
    assert not found.evidence.verified


def test_constant_is_the_weighted_mean(posed) -> None:
    problem = posed(lambda a: a, columns=1, rows=3)
    problem = dataclasses.replace(problem, y=np.array([1.0, 2.0, 6.0]), weight=np.sqrt([1.0, 1.0, 2.0]))
    np.testing.assert_allclose(mean(problem)[0].predict(problem.x), (1 + 2 + 12) / 4)


def test_only_noise_tells_noise_from_a_missing_term(posed) -> None:
    noisy = posed(lambda a, b: a, noise=0.05, rows=400)
    bent = posed(lambda a, b: a + 0.05 * b**2, rows=400)
    symbol = sympy.Symbol("_c0", real=True)
    for problem, expected in ((noisy, True), (bent, False)):
        line = score(problem.formula(symbol * problem.symbols[0], [symbol], [1.0]), problem)
        assert line is not None
        assert only_noise(line, problem) is expected
