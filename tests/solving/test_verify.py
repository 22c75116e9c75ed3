"""When an answer of any kind is verified."""

import ast
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import nalm.solving
from nalm.solving.answer import Status
from nalm.solving.verify import Demand, decided, rounding_errors, together, verify

X = np.linspace(1, 2, 10)


@dataclass
class Line:
    slope: float = 2.0

    def predict(self, x):
        return self.slope * x

    def rounding(self, x, y):
        return np.abs(y)


def test_what_reproduces_every_row_is_verified() -> None:
    status, errors = verify(Line(), X, 2 * X * (1 + 1e-9), tolerance=1e-8)
    assert status is Status.VERIFIED
    assert errors.max() == pytest.approx(1e-9)


def test_one_row_that_is_off_is_enough() -> None:
    y = 2 * X
    y[3] += 1e-6
    assert verify(Line(), X, y, tolerance=1e-8).status is Status.NOT_EXACT
    assert verify(Line(), X, y, 1e-8, otherwise=Status.DISAGREEING_ROWS).status is Status.DISAGREEING_ROWS
    assert verify(Line(), X, y, tolerance=1e-8, is_noise=lambda: True).status is Status.VERIFIED


def test_where_it_is_undefined_the_error_is_infinite() -> None:
    assert np.isinf(rounding_errors(Line(np.nan), X, X)).all()
    assert verify(Line(np.nan), X, X, tolerance=1e300).status is Status.NOT_EXACT


def test_the_first_demand_that_fails_decides_and_no_other_is_asked() -> None:
    asked = []

    def demand(answer: bool, status: Status) -> Demand:
        return Demand(lambda: asked.append(status) or answer, status)

    demands = [
        demand(True, Status.TOO_FEW_ROWS),
        demand(False, Status.INTERPOLATION),
        demand(False, Status.NOISY),
    ]
    assert verify(Line(), X, 3 * X, 1e-9, demands).status is Status.NOT_EXACT
    assert asked == []
    assert verify(Line(), X, 2 * X, 1e-9, demands).status is Status.INTERPOLATION
    assert asked == [Status.TOO_FEW_ROWS, Status.INTERPOLATION]


def test_parts() -> None:
    assert together([Status.VERIFIED, Status.VERIFIED]) is Status.VERIFIED
    assert together([Status.VERIFIED, Status.NOISY, Status.OUT_OF_TIME]) is Status.NOISY
    assert decided(True) is Status.VERIFIED


def test_no_other_file_calls_an_answer_verified() -> None:
    """Elsewhere `Status.VERIFIED` is compared with, never given."""
    for path in Path(nalm.solving.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text())
        compared = {
            id(part)
            for node in ast.walk(tree)
            if isinstance(node, ast.Compare)
            for part in (node.left, *node.comparators)
        }
        given = [
            node.lineno
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and node.attr == "VERIFIED" and id(node) not in compared
        ]
        assert given == [] or path.name == "verify.py", f"{path.name}, lines {given}"
