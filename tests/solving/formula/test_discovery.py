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


def test_stages_for_noise_leave_exact_data_alone(posed) -> None:
    told: list[str] = []
    problem = posed(lambda a, b, c: a * np.cbrt(b + np.sqrt(c)), columns=3, rows=600)
    settings = dataclasses.replace(problem.settings, tell=told.append, clock=time.process_time)
    discover(dataclasses.replace(problem, settings=settings, deadline=time.process_time() + 2))
    names = {line.split(":")[0] for line in told}
    assert "sparse" in names
    assert names.isdisjoint(stage.name for stage in STAGES if stage.only_in_noise)


def test_stages_for_noise_have_their_say_before_a_search_in_noise_ends(posed) -> None:
    told: list[str] = []
    problem = posed(lambda a, b: a / (1 + b), rows=600, noise=0.05)
    found = discover(
        dataclasses.replace(problem, settings=dataclasses.replace(problem.settings, tell=told.append))
    )
    assert "short formulas in noise" in {line.split(":")[0] for line in told}
    assert found is not None
    assert found.formula.expression.count_ops() <= 4


def test_a_slight_trend_is_no_noise(posed) -> None:
    problem = posed(lambda a, b: a + 0.04 * b, noise=0.1, rows=1000)
    symbols = sympy.symbols("_c0 _c1", real=True)
    a, b = problem.symbols
    right = score(problem.formula(symbols[0] * a + symbols[1] * b, symbols, [1.0, 0.04]), problem)
    wrong = score(problem.formula(symbols[0] * a, symbols[:1], [1.0]), problem)
    assert right is not None
    assert wrong is not None
    assert only_noise(right, problem)
    assert not only_noise(wrong, problem)


def test_only_noise_tells_noise_from_a_missing_term(posed) -> None:
    noisy = posed(lambda a, b: a, noise=0.05, rows=400)
    bent = posed(lambda a, b: a + 0.05 * b**2, rows=400)
    symbol = sympy.Symbol("_c0", real=True)
    for problem, expected in ((noisy, True), (bent, False)):
        line = score(problem.formula(symbol * problem.symbols[0], [symbol], [1.0]), problem)
        assert line is not None
        assert only_noise(line, problem) is expected
