"""Each ingredient of a recipe against torch's own, a few uncompiled iterations on the reference stream."""

import numpy as np
import pytest
import torch

from nalm import Architecture, Layer, Ramp, Recipe, Run, Triggered, chunks, penalties, train
from nalm.tasks import ReplayStream, single_module, two_layer
from nalm.training import engine, program
from nalm.training.losses import LOSSES

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
    monkeypatch.setattr(program, "BLOCK_NUMBERS", 1)  # blocks of 8 iterations, which 10 is no multiple of
    assert_same(run_of(iterations=30, evaluate_every=10, learning_rate=0.01))


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("recipe", [{"loss": "mape"}, {"loss": "pcc"}, {"loss": "pcc", "then": (3, "mse")}])
def test_losses_and_the_change_between_them(recipe):
    assert_same(run_of(**recipe))


@pytest.mark.usefixtures("eager")
def test_with_many_inputs_runs_of_several_losses_are_trained_together():
    recipes = [{"loss": "mape"}, {"loss": "pcc"}, {"loss": "pcc", "then": (3, "mse")}]
    wide = [
        Run(
            Architecture((Layer("NAU", 20, 2), Layer("NMU", 2, 1))),
            two_layer("mul", inputs=20),
            Recipe(iterations=ITERATIONS, evaluate_every=ITERATIONS, learning_rate=0.05, **recipe),
            seed=2,
        )
        for recipe in recipes
    ]
    assert len(chunks(wide)) == 1
    for run, curve in zip(wide, train(wide, replay=True), strict=True):
        for name, expected in by_hand(run).items():
            np.testing.assert_allclose(curve.weights[name], expected, rtol=2e-5, atol=2e-6)


@pytest.mark.usefixtures("eager")
def test_a_scheduled_penalty():
    ramp = Ramp(10.0, 1, 4)
    assert_same(run_of(penalties=(("sparse", ramp),)), rate=ramp)


@pytest.mark.usefixtures("eager")
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


@pytest.mark.usefixtures("eager")
def test_a_sample_of_exactly_zero_is_never_divided_by():
    network = Architecture((Layer("NRU", 2, 1),))
    recipe = Recipe(iterations=1, evaluate_every=1)
    for operation, zeros in (("div", False), ("mul", True)):
        run = Run(network, single_module(operation, interpolation="[-2, 2)"), recipe, seed=0)
        (chunk,) = chunks([run])
        code = engine.program(chunk.structure)
        middle = {"u": torch.full((len(chunk.seeds), 2 * 128), 0.5)}
        x, y = code._batch(engine._Feed(chunk, code).settings, middle)
        assert bool((x == 0).all()) is zeros
        assert x.abs().max() < 1e-6
        assert torch.isfinite(y).all()
