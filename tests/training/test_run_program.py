"""Each ingredient of a recipe against torch's own, a few uncompiled iterations on the reference stream."""

import dataclasses

import numpy as np
import pytest
import torch

from nalm import Architecture, Layer, Ramp, Recipe, Run, Triggered, penalties, train
from nalm.tasks import ReplayStream, single_module
from nalm.tasks.supply import EvaluationBatch, Supplier
from nalm.training import mapped
from nalm.training.losses import LOSSES
from nalm.training.run_program import Now, RunProgram, Settings, State, flat, nested
from nalm.training.schedules import Constant
from nalm.training.structure import Structure

ITERATIONS = 6


def by_hand(run, clip=None, rate=lambda step: 0.0):
    """The same run with torch's optimisers, one at a time."""
    torch.manual_seed(run.seed)
    network = run.architecture.build()
    network.reset_parameters()
    recipe = run.recipe
    optimisers = {
        "adam": lambda p: torch.optim.Adam(p, lr=recipe.learning_rate),
        "sgd": lambda p: torch.optim.SGD(p, lr=recipe.learning_rate),
        "momentum": lambda p: torch.optim.SGD(p, lr=recipe.learning_rate, momentum=0.9),
    }
    optimiser = optimisers[recipe.optimiser](network.parameters())
    stream = ReplayStream(run.task, run.seed)
    for step in range(recipe.iterations):
        x, y = next(stream)
        loss_name = recipe.loss if recipe.then is None or step < recipe.then[0] else recipe.then[1]
        optimiser.zero_grad()
        loss = LOSSES[loss_name](network(x)[:, 0], y[:, 0])
        if recipe.penalties:
            loss = loss + rate(step) * penalties(network)[recipe.penalties[0][0]]
        loss.backward()
        if clip is not None:
            clip(list(network.parameters()))
        optimiser.step()
        network.project()
    return {name: value.detach().numpy() for name, value in network.named_parameters()}


def run_of(unit="NMU", operation="mul", **recipe):
    options = {"iterations": ITERATIONS, "evaluate_every": ITERATIONS, "learning_rate": 0.05} | recipe
    return Run(Architecture((Layer(unit, 2, 1),)), single_module(operation), Recipe(**options), seed=2)


def assert_same(run, **options):
    (curve,) = train([run], replay=True)
    for name, expected in by_hand(run, **options).items():
        np.testing.assert_allclose(curve.weights[name], expected, rtol=2e-5, atol=2e-6)
    assert curve.diverged_at is None


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("optimiser", ["adam", "sgd", "momentum"])
def test_optimisers_and_projection(optimiser):
    assert_same(run_of(optimiser=optimiser, learning_rate=0.02))


@pytest.mark.usefixtures("eager")
def test_replay_reads_on_across_evaluations_and_blocks(monkeypatch):
    monkeypatch.setattr(mapped, "BLOCK_NUMBERS", 1)  # blocks of 4 iterations, which 10 is no multiple of
    assert_same(run_of(iterations=30, evaluate_every=10, learning_rate=0.01))


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("recipe", [{"loss": "mape"}, {"loss": "pcc"}, {"loss": "pcc", "then": (3, "mse")}])
def test_losses_and_the_change_between_them(recipe):
    assert_same(run_of(**recipe))


@pytest.mark.usefixtures("eager")
def test_a_scheduled_penalty():
    ramp = Ramp(10.0, 1, 4)
    assert_same(run_of(penalties=(("sparse", ramp),)), rate=ramp)


@pytest.mark.usefixtures("eager")
def test_a_penalty_that_no_unit_has_is_named_with_those_there_are():
    recipe = Recipe(iterations=1000, penalties=(("sparse", Ramp(1.0, 0, 10)),))
    run = Run(Architecture((Layer("NALU", 2, 1),)), single_module("mul"), recipe, 0)
    with pytest.raises(
        ValueError, match="the penalty 'sparse', which no unit of this network has; it has 'rz'"
    ):
        train([run])


def test_a_penalty_triggered_by_the_validation_error():
    always, never = (Triggered(1.0, after=2, below=below) for below in (np.inf, 0.0))
    assert_same(run_of("INALU", penalties=(("sparse", always),)), rate=lambda step: float(step > 2))
    assert_same(run_of("INALU", penalties=(("sparse", never),)))


@pytest.mark.usefixtures("eager")
def test_gradient_clipping_by_value_and_by_norm():
    assert_same(
        run_of(optimiser="sgd", clip_value=0.1), clip=lambda p: torch.nn.utils.clip_grad_value_(p, 0.1)
    )
    assert_same(run_of(optimiser="sgd", clip_norm=0.3), clip=lambda p: torch.nn.utils.clip_grad_norm_(p, 0.3))


@pytest.mark.usefixtures("eager")
def test_gradient_noise_has_the_published_variance():
    recipe = {"iterations": 1, "evaluate_every": 1, "optimiser": "sgd", "learning_rate": 1e-3}
    quiet, noisy = (
        [_reseed(run, seed) for seed in range(200)]
        for run in (run_of("Linear", "add", **recipe), run_of("Linear", "add", gradient_noise=0.5, **recipe))
    )
    moved = [
        (b.weights["layers.0.weight"] - a.weights["layers.0.weight"]) / 1e-3
        for a, b in zip(train(quiet), train(noisy), strict=True)
    ]
    # η / (1 + 0)^0.55 = 0.5; 400 draws estimate a variance to 7 %.
    assert np.var(moved) == pytest.approx(0.5, rel=0.25)


def _reseed(run, seed):
    return Run(run.architecture, run.task, run.recipe, seed)


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("unit", ["SNMU", "STGNMU"])
def test_stochastic_units_are_trained_with_their_runs_own_noise(unit):
    seeds = [_reseed(run_of(unit), seed) for seed in (1, 2)]
    together, alone = train(seeds), train(seeds[:1])
    assert all(np.array_equal(together[0].weights[k], alone[0].weights[k]) for k in alone[0].weights)


@pytest.mark.parametrize(("operation", "zeros"), [("div", False), ("mul", True)])
def test_a_sample_of_exactly_zero_is_never_divided_by(operation, zeros):
    task = single_module(operation, interpolation="[-2, 2)")
    supplier = task.supplier(128)
    settings = {name: torch.tensor(value) for name, value in supplier.settings(task, seed=0).items()}
    x, y = supplier.batch(settings, {"u": torch.full((2, 128), 0.5, dtype=torch.float64)})
    assert bool((x == 0).all()) is zeros
    assert x.abs().max() < 1e-6
    assert torch.isfinite(y).all()


X, Y = torch.tensor([[1.0, 2.0], [4.0, 3.0]]), torch.tensor([3.0, 6.0])
"""With weights (1, 0.25): predictions 1.5 and 4.75, errors −1.5 and −1.25."""
SQUARED = (1.5**2 + 1.25**2) / 2


class Prepared(Supplier):
    """The two samples above, every time."""

    def batch(self, settings, now):
        return X, Y

    def evaluation(self, task, seed):
        yield EvaluationBatch("validation", X, Y)
        yield EvaluationBatch("test", 1e20 * X, Y)


def program_of(**recipe) -> RunProgram:
    run = Run(Architecture((Layer("NAU", 2, 1),)), single_module("add"), Recipe(optimiser="sgd", **recipe), 0)
    return RunProgram(dataclasses.replace(Structure.of(run), supplier=Prepared()))


def moved(program, iteration=0.0, strength=(), change_at=10.0, rate=1.0):
    """The weights (1, 0.25) after one step of plain gradient descent, unprojected."""
    program.boxes = {}
    weight = {"layers.0.weight": torch.tensor([[1.0, 0.25]])}
    number = torch.tensor
    settings = Settings(number(rate), number(1.0), number(1.0), number(change_at), {})
    now = Now(number(iteration), number([1.0, 1.0]), number(strength), number(0.0), number(0.0), {}, {})
    state = program.iterate(State(weight, {}, {}, {}, number(-1.0)), settings, now)
    return state.parameters["layers.0.weight"][0].tolist(), state.diverged_at.item()


def test_a_step_by_hand():
    """The gradient of the mean squared error is (2·errors·x) / 2."""
    expected = 1 + (1.5 * 1 + 1.25 * 4), 0.25 + (1.5 * 2 + 1.25 * 3)
    assert moved(program_of())[0] == pytest.approx(expected)


def test_penalties_are_added_with_their_strength():
    """The NAU is pulled to −1, 0 or 1: the derivative of ½·min(|w|, 1 − |w|) is ½ at 0.25, and −½ at 1."""
    (first, second), _ = moved(program_of(penalties=(("sparse", Constant(1.0)),)), strength=[3.0])
    plain, _ = moved(program_of())
    assert plain[1] - second == pytest.approx(1.5)
    assert abs(plain[0] - first) in (pytest.approx(0.0), pytest.approx(1.5))


def test_the_loss_changes_over():
    changing = program_of(loss="mape", then=(10, "mse"))
    assert moved(changing, iteration=10.0) == moved(program_of())
    assert moved(changing, iteration=9.0) == moved(program_of(loss="mape"))


def test_a_step_that_is_not_finite_is_not_taken():
    weights, diverged_at = moved(program_of(), iteration=7.0, rate=float("inf"))
    assert weights == [1.0, 0.25]
    assert diverged_at == 7


def test_measures_and_sparsity():
    program = program_of()
    weight = {"layers.0.weight": torch.tensor([[1.0, 0.25]])}
    assert program.measure(weight, X, Y)[""].item() == pytest.approx(SQUARED)
    assert program.sparsity(weight).item() == pytest.approx(0.25)


def test_flat_and_nested_are_each_others_inverse():
    state = State({"a.b": X}, {}, {"a.b": Y}, {}, torch.tensor(-1))
    assert list(flat(state)) == ["parameters.a.b", "first.a.b", "diverged_at"]
    assert nested(State, flat(state)) == state
