"""`nalm.solve` on the tasks of the literature, a few cells each; benchmarks/solver.py has all of them."""

import copy

import numpy as np
import pytest
import torch

from nalm import (
    IMNAC,
    INALU,
    NAU,
    NMRU,
    NMU,
    NPU,
    NRU,
    NACAdd,
    NACMul,
    RealNPU,
    Stack,
    Status,
    solve,
)
from nalm.networks.gated_choice import Gated
from nalm.tasks import Benford, Halves, ReplayStream, TruncatedNormal, Uniform, single_module, two_layer

ARITHMETIC = ("add", "sub", "mul", "div")
NARROW_AND_MIXED = ("[1.1, 1.2)", "[-1.2, -1.1)", "[-2, 2)")


def samples(task, seed, count=1000):
    x, y = ReplayStream(task, seed, batch_size=count).take(1)
    return x[0], y[0]


def is_right(network, task, seed):
    """On the extrapolation range, in double precision."""
    x = task.test.sample_numpy(np.random.RandomState(1), (200, task.inputs))
    truth = task.targets(x, seed)
    with torch.no_grad():
        value = copy.deepcopy(network).double().eval()(torch.from_numpy(x)).numpy()
    return bool((np.abs(value - truth) <= 1e-6 * np.abs(truth) + 1e-9 * np.abs(truth).mean()).all())


@pytest.mark.parametrize("interpolation", NARROW_AND_MIXED)
@pytest.mark.parametrize("operation", ARITHMETIC)
@pytest.mark.parametrize("inputs", [2, 10, 100])
def test_single_module_operation_not_told(operation, inputs, interpolation):
    task = single_module(operation, inputs, interpolation)
    candidates = [NAU(inputs, 1), NMU(inputs, 1), NRU(inputs, 1)]
    solution = solve(candidates, *samples(task, seed=3))
    assert solution.verified
    assert solution.exact
    assert is_right(solution.network, task, seed=3)


@pytest.mark.parametrize(
    "train",
    [
        Halves(Uniform(-2, -0.1), Uniform(0.1, 2)),
        TruncatedNormal(0, 1, -5, 5),
        TruncatedNormal(-1, 3, -5, 10),
        Benford(10, 100),
        Uniform(-100, 100),
        Uniform(0, 1e-4),
    ],
    ids=str,
)
@pytest.mark.parametrize("unit", [NRU, NMRU, IMNAC])
def test_division_where_training_fails(train, unit):
    task = single_module("div", 2, train, Uniform(1.0, 5.0))
    solution = solve(unit(2, 1), *samples(task, seed=0))
    assert solution.verified
    assert is_right(solution.network, task, seed=0)


@pytest.mark.parametrize("interpolation", NARROW_AND_MIXED)
@pytest.mark.parametrize("operation", ARITHMETIC)
def test_two_layers_operation_not_told(operation, interpolation):
    task = two_layer(operation, 100, interpolation)
    candidates = [Stack(NAU(100, 2), NAU(2, 1)), Stack(NAU(100, 2), NRU(2, 1))]
    solution = solve(candidates, *samples(task, seed=1))
    assert solution.verified
    assert is_right(solution.network, task, seed=1)


def test_a_square_of_a_sum():
    task = two_layer("squared", 30)
    solution = solve(Stack(NAU(30, 2), NMU(2, 1)), *samples(task, seed=1))
    assert solution.verified
    assert is_right(solution.network, task, seed=1)


@pytest.mark.parametrize("hidden", [3, 10])
@pytest.mark.parametrize(("operation", "unit"), [("mul", NMU), ("div", NMRU)])
def test_spare_hidden_units_stay_idle(operation, unit, hidden):
    task = two_layer(operation, 30)
    solution = solve(Stack(NAU(30, hidden), unit(hidden, 1)), *samples(task, seed=2))
    assert solution.verified
    assert is_right(solution.network, task, seed=2)
    assert int((solution.network.layers[0].weight != 0).any(dim=1).sum()) == 2


def test_two_layers_of_a_unit_that_chooses_its_operation():
    x = torch.rand(300, 3, generator=torch.Generator().manual_seed(0)) + 1
    solution = solve(Stack(INALU(3, 2), INALU(2, 1)), x, (x[:, 0] + x[:, 1]) / x[:, 2])
    assert str(solution.formula) == "(x1 + x2)/x3"
    assert solution.verified


def test_several_outputs_share_hidden_units():
    x = torch.rand(300, 4, generator=torch.Generator().manual_seed(0)) + 1
    a, b = x[:, 0] + x[:, 1], x[:, 2] - x[:, 3]
    network = Stack(NAU(4, 2), NRU(2, 3))
    solution = solve(network, x, torch.stack([a, a * b, a / b], dim=-1))
    assert solution.verified
    assert str(solution.formula) == "(x1 + x2, (x1 + x2)*(x3 - x4), (x1 + x2)/(x3 - x4))"
    crowded = solve(Stack(NAU(4, 1), NRU(1, 2)), x, torch.stack([a, b], dim=-1))
    assert crowded.status is Status.NOT_REPRESENTABLE


@pytest.mark.parametrize("unit", [RealNPU, NPU])
def test_real_exponents_become_fractions_when_they_are(unit):
    x = torch.rand(200, 2, generator=torch.Generator().manual_seed(0)) + 1
    solution = solve(unit(2, 1), x, x[:, 0] ** 0.5 / x[:, 1] ** 2)
    assert solution.verified
    assert solution.network.weight.tolist() == [[0.5, -2.0]]


@pytest.mark.parametrize("unit", [NACAdd, NACMul])
def test_computed_weights_are_saturated(unit):
    x = torch.rand(200, 2, generator=torch.Generator().manual_seed(0)) + 1
    solution = solve(unit(2, 1), x, x[:, 0] - x[:, 1] if unit is NACAdd else x[:, 0] / x[:, 1])
    assert solution.verified
    assert solution.network.weight.tolist() == [[1.0, -1.0]]


def test_a_magnitude_does_not_pass_on_a_sign():
    x = torch.rand(200, 2, generator=torch.Generator().manual_seed(0)) - 2
    assert solve(NACMul(2, 1), x, x[:, 0] / x[:, 1]).verified
    assert solve(NACMul(2, 1), x, -x[:, 0] / x[:, 1]).status is Status.NOT_REPRESENTABLE
    assert not solve(Stack(NAU(2, 2), NACMul(2, 1)), x, x[:, 0] + x[:, 1], max_time=1).verified


def test_zeros_and_ones_have_no_logarithm():
    x = torch.randint(2, (200, 3), generator=torch.Generator().manual_seed(0)).double()
    solution = solve(NMU(3, 1), x, x[:, 0] * x[:, 2])
    assert solution.verified
    assert str(solution.formula) == "x1*x3"


def test_noise_is_weighed():
    generator = torch.Generator().manual_seed(0)
    task = two_layer("mul", 20)
    x, y = samples(task, seed=0)
    noise = y.std() * torch.randn(y.shape, generator=generator)
    network = Stack(NAU(20, 2), NMU(2, 1))
    some = solve(network, x, y + 1e-3 * noise)
    assert some.verified
    assert not some.exact
    assert is_right(some.network, task, seed=0)
    assert some.evidence.error_after == pytest.approx(1e-3, rel=0.3)
    much = solve(network, x, y + 0.3 * noise, max_time=2)
    assert much.status is Status.NOT_IDENTIFIABLE


@pytest.mark.parametrize(
    ("target", "status"),
    [
        (lambda x: 0.5 * x[:, 0] + x[:, 1], Status.NOT_DISCRETE),
        (lambda x: (3 * x[:, 0]).sin(), Status.NOT_REPRESENTABLE),
        (lambda x: x[:, 0].exp(), Status.NOT_REPRESENTABLE),
    ],
)
def test_what_is_not_in_the_network_is_not_verified(target, status):
    x = torch.rand(300, 2, generator=torch.Generator().manual_seed(0)) + 1
    solution = solve(NAU(2, 1), x, target(x))
    assert solution.status is status
    assert not solve(Stack(NAU(2, 2), NRU(2, 1)), x, target(x), max_time=1).verified


def test_the_time_limit_is_kept_and_named():
    x = torch.rand(400, 30, generator=torch.Generator().manual_seed(0))
    solution = solve(Stack(NAU(30, 6), NRU(6, 1)), x, x.sum(dim=1).sin(), max_time=1.0)
    assert solution.status is Status.OUT_OF_TIME
    assert solution.evidence.seconds < 5


def test_the_given_network_is_left_alone():
    x = torch.rand(50, 2) + 1
    network = NAU(2, 1)
    before = network.weight.detach().clone()
    solution = solve(network, x, x[:, 0])
    assert torch.equal(network.weight, before)
    assert solution.network is not network
    assert solution.network.weight.dtype == torch.float32


def test_same_seed_same_answer():
    task = two_layer("mul", 20, "[-2, 2)")
    x, y = samples(task, seed=0, count=200)
    network = Stack(NAU(20, 2), NMU(2, 1))
    first, second = (solve(network, x, y, seed=5) for _ in range(2))
    assert first.evidence.error_before == second.evidence.error_before
    assert torch.equal(first.network.layers[0].weight, second.network.layers[0].weight)


def test_the_simplest_candidate_that_is_verified_wins():
    x = torch.rand(50, 2, generator=torch.Generator().manual_seed(0)) + 1
    solution = solve([NMU(2, 1), NRU(2, 1)], x, x[:, 0] * x[:, 1])
    assert isinstance(solution.network, NMU)
    assert solution.evidence.structures == 1
    assert isinstance(solve([NMU(2, 1), NRU(2, 1)], x, x[:, 0] / x[:, 1]).network, NRU)


def test_what_it_does_not_take_is_named():
    x = torch.rand(50, 2)
    with pytest.raises(TypeError, match="unit or a Stack"):
        solve(torch.nn.Linear(2, 1), x, x[:, 0])
    with pytest.raises(ValueError, match="at least one"):
        solve([], x, x[:, 0])
    with pytest.raises(ValueError, match="X must have shape"):
        solve(NAU(3, 1), x, x[:, 0])


def test_a_stack_with_a_choice_between_units_is_refused_with_a_way_out():
    stack = Stack(Gated(2, 1, first=("NAU", ()), second=("NMU", ())))
    with pytest.raises(TypeError, match=r"layer 0 is a Gated.*one stack for each choice"):
        solve(stack, torch.rand(10, 2), torch.rand(10))


def test_a_seed_may_be_drawn():
    x = torch.rand(50, 2, dtype=torch.float64) + 1
    assert solve(NAU(2, 1), x, x[:, 0] - x[:, 1], seed=None).verified
