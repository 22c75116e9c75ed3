import numpy as np
import pytest
import sympy
import torch
from torch import nn

from nalm.networks.annealed_selector import AnnealedSelector
from nalm.networks.closed_form import last_line_losses
from nalm.networks.program import Line
from nalm.solving.program.annealing import fit_selector, neighbours
from nalm.tasks.composition import composition


@pytest.mark.parametrize(("name", "inputs"), [("add-mul", 4), ("sub-sub", 4), ("sub-div-add", 6)])
def test_programs_are_found(name, inputs):
    task = composition(name, inputs=inputs)
    fit = fit_selector(*task.sample(200, seed=0), steps=len(task.operations))
    assert fit.exact
    assert sympy.simplify(fit.program.expression(task.symbols) - task.expression()) == 0


def test_one_line_needs_no_training():
    x = np.random.default_rng(0).uniform(-2, 2, (50, 3))
    fit = fit_selector(x, x[:, 0] * x[:, 2], steps=2)
    assert fit.exact
    assert fit.rounds == 0
    assert fit.program.lines == (Line("mul", (0, 2)),)


def test_noise_does_not_hide_the_program():
    task = composition("add-mul")
    x, y = task.sample(300, seed=0)
    noisy = y + 0.01 * y.std() * np.random.default_rng(0).standard_normal(300)
    fit = fit_selector(x, noisy, steps=2, rounds=1)
    assert not fit.exact
    assert fit.error == pytest.approx(0.01, rel=0.2)
    assert sympy.simplify(fit.program.expression(task.symbols) - task.expression()) == 0


def test_neighbours_differ_in_one_choice():
    near = neighbours((Line("add", (0,)),), inputs=2)
    assert [n[0] for n in near] == [
        Line("sub", (0,)),
        Line("mul", (0,)),
        Line("div", (0,)),
        Line("add", ()),
        Line("add", (0, 1)),
    ]


def test_gradients_alone_find_programs():
    task = composition("add-mul")
    fit = fit_selector(*task.sample(200, seed=0), steps=2, repair=False)
    assert fit.exact
    assert sympy.simplify(fit.program.expression(task.symbols) - task.expression()) == 0


def test_a_front_end_learns_with_the_selector():
    # Inputs come with unknown factors; only y = (2a + b)·c is seen.
    generator = torch.Generator().manual_seed(0)
    x = 0.5 + 3 * torch.rand(128, 3, dtype=torch.float64, generator=generator)
    y = (2 * x[:, 0] + x[:, 1]) * x[:, 2]
    factors = nn.Parameter(torch.ones(3, dtype=torch.float64))
    selector = AnnealedSelector(3, 1, restarts=64, generator=generator).double()
    joint = torch.optim.Adam([factors, *selector.parameters()], lr=0.05)
    alone = torch.optim.Adam([factors], lr=0.01)
    for iteration in range(150):
        selector.anneal(min(iteration / 100, 1))
        settled = iteration >= 100
        losses = last_line_losses(selector(x * factors, hard=settled), y)
        selector.weigh(losses)
        optimiser = alone if settled else joint
        optimiser.zero_grad()
        losses.sum().backward()
        optimiser.step()
    best = int(selector.shares.argmax())
    assert selector.programs()[best].lines in {(Line("add", (0, 1)),), (Line("sub", (0, 1)),)}
    assert (factors[0] / factors[1]).item() == pytest.approx(2, rel=0.02)


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="rows, inputs"):
        fit_selector(np.ones(5), np.ones(5), steps=2)
