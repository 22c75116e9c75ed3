import pytest
import sympy
import torch

from nalm.networks.program import Line, Program

a, b, c = sympy.symbols("a b c")
X = torch.tensor([[2.0, 4.0, 0.5], [-1.0, 3.0, 5.0]])


@pytest.mark.parametrize(
    ("lines", "formula", "values"),
    [
        ((Line("add", (0, 2)),), a + c, [2.5, 4.0]),
        ((Line("sub", (0, 1)), Line("add", (2, 3))), c - a - b, [-5.5, 3.0]),
        ((Line("mul", (0, 1, 2)),), a * b * c, [4.0, -15.0]),
        ((Line("div", (0, 1)), Line("div", (2, 3))), a * b / c, [16.0, -0.6]),
        ((Line("add", ()), Line("div", ())), sympy.Integer(1), [1.0, 1.0]),
    ],
)
def test_values_and_formula(lines, formula, values):
    program = Program(3, lines)
    assert sympy.simplify(program.expression([a, b, c]) - formula) == 0
    torch.testing.assert_close(program(X), torch.tensor(values))


def test_lines_nobody_reads_are_dropped():
    program = Program(2, (Line("mul", (0, 1)), Line("add", (0,)), Line("sub", (1, 3))))
    live = program.live()
    assert live == Program(2, (Line("add", (0,)), Line("sub", (1, 2))))
    assert live.expression() == program.expression()


def test_gradients_reach_the_inputs():
    x = X.clone().requires_grad_()
    Program(3, (Line("add", (0, 1)), Line("mul", (2, 3))))(x).sum().backward()
    torch.testing.assert_close(x.grad, torch.tensor([[0.5, 0.5, 6.0], [5.0, 5.0, 2.0]]))


def test_impossible_programs_are_refused():
    with pytest.raises(ValueError, match="at least one line"):
        Program(2, ())
    with pytest.raises(ValueError, match="'pow' is not an operation"):
        Program(2, (Line("pow", (0, 1)),))
    with pytest.raises(ValueError, match="line 0 can read slots 0 to 1"):
        Program(2, (Line("add", (0, 2)),))
