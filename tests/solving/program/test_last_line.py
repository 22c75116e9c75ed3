import numpy as np
import pytest

from nalm.networks.program import Line
from nalm.solving.program.enumeration import beginnings
from nalm.solving.program.last_line import LastLine

X = np.random.default_rng(0).uniform(1, 2, (20, 4))
a, b, c, d = X.T


@pytest.mark.parametrize(
    ("y", "product", "line"),
    [
        (a + d, False, Line("add", (0, 3))),
        (-b, False, Line("sub", (1,))),
        (a * b * c, True, Line("mul", (0, 1, 2))),
        (1 / (c * d), True, Line("div", (2, 3))),
    ],
)
def test_one_line(y, product, line):
    (best, *_) = LastLine(X, y, product=product).without_lines()
    assert best.line == line
    assert best.error < 1e-12


@pytest.mark.parametrize(
    ("y", "product", "formula"),
    [
        (1 / (a * b) + c, False, "c + 1/(a*b)"),
        (-a * b - c - d, False, "-a*b - c - d"),
        (1 / (c * (a + b)), True, "1/(c*(a + b))"),
    ],
)
def test_two_lines(y, product, formula):
    last = LastLine(X, y, product=product)
    (begun,) = beginnings(X, 0, None)
    (part, start, written), *_ = begun.batches(None)
    best = min(last.after(part, start, written), key=lambda candidate: candidate.error)
    assert best.error < 1e-12
    program = part.program(best.begun, 4, None, best.written, best.line)
    assert str(program.expression(list("abcd"))) == formula


def test_coefficients_other_than_one_do_not_pass():
    (best, *_) = LastLine(X, 2 * a + b, product=False).without_lines()
    assert best.error > 0.1
