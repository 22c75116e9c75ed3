"""Runs one after another."""

import dataclasses

import numpy as np
import pytest
import torch

from nalm.networks.architecture import ModuleNetwork
from nalm.tasks.digits import digit_product, two_digits
from nalm.training import Constant, Ramp, Recipe, Run, train
from nalm.training.checkpoint import Checkpoints
from nalm.training.engine import train_chunks
from nalm.training.execution import _kept
from nalm.training.structure import chunks

PRODUCT = dataclasses.replace(digit_product(), lengths=(1, 3))
RZ = (("sparse", Ramp(1.0, 1, 3)), ("rz", Constant(1.0)))


def network(unit: str, **options: object) -> ModuleNetwork:
    return ModuleNetwork("nalm.networks.vision:DigitSequence", (("unit", unit), *options.items()))


@pytest.fixture(autouse=True)
def few_digits(sample_mnist) -> None:
    _kept.clear()


def recipe(**changes: object) -> Recipe:
    return Recipe(iterations=4, evaluate_every=2, batch_size=8, **changes)


def test_adam_and_projection_are_those_of_an_ordinary_loop() -> None:
    run = Run(network("NMU", start=1.0), PRODUCT, recipe(penalties=RZ, learning_rate=0.05), 3)
    (curve,) = train([run])
    from nalm import attach, penalty, record_inputs, rz_penalty
    from nalm.training.initial import initial_network

    model = initial_network(run.architecture, 3).train()
    supplier = run.task.supplier(8)
    read = supplier.reader([(run.task, 3)])(0, 4)["samples"].values
    optimiser = torch.optim.Adam(model.parameters(), lr=0.05)
    attach(optimiser, model)
    for step in range(4):
        x, y = supplier.batch({}, {"samples": read[step, 0]})
        with record_inputs(model) as inputs:
            output = model(x)[..., 0]
        loss = (output - y[..., 0]).square().mean() + penalty(model, step, RZ[0][1])
        optimiser.zero_grad()
        (loss + rz_penalty(model, inputs)).backward()
        optimiser.step()
    for name, value in model.named_parameters():
        np.testing.assert_allclose(curve.weights[name], value.detach().numpy(), rtol=1e-3, atol=1e-4)


def test_the_rz_penalty_acts() -> None:
    ends = [
        train([Run(network("NMU", start=1.0), PRODUCT, recipe(penalties=penalties), 0)])[0]
        for penalties in ((), (("rz", Constant(1e3)),))
    ]
    assert not np.allclose(ends[0].weights["cell.weight"], ends[1].weights["cell.weight"])


@pytest.mark.parametrize("optimiser", ["adam", "sgd", "momentum"])
def test_a_checkpoint_is_gone_on_with_bit_for_bit(tmp_path, optimiser: str) -> None:
    run = Run(network("SNMU", start=1.0), PRODUCT, recipe(optimiser=optimiser, learning_rate=1e-4), 1)
    (whole,) = train([run])
    checkpoints = Checkpoints(tmp_path, every=0.0)
    ((_, (curve,)),) = train_chunks(chunks([run]), checkpoints=checkpoints)
    assert list(tmp_path.iterdir())
    ((_, (resumed,)),) = train_chunks(chunks([run]), checkpoints=checkpoints)
    for other in (curve, resumed):
        assert all((other.weights[name] == value).all() for name, value in whole.weights.items())
        assert (other.test == whole.test).all()


def test_dropout_is_the_runs_own() -> None:
    task = dataclasses.replace(two_digits("mul"), per_pair=2).tested_on(20)
    runs = [
        Run(ModuleNetwork("nalm.networks.vision:TwoDigits", (("unit", "NMU"),)), task, recipe(), seed)
        for seed in (0, 1)
    ]
    torch.manual_seed(1)
    first = train(runs)
    torch.manual_seed(2)
    (second,) = train(runs[1:])
    assert (first[1].weights["front.fc2.weight"] == second.weights["front.fc2.weight"]).all()
    assert not (first[0].weights["front.fc2.weight"] == second.weights["front.fc2.weight"]).all()


def test_a_run_that_diverges_is_frozen() -> None:
    (curve,) = train([Run(network("NMU", start=1.0), PRODUCT, recipe(learning_rate=1e30), 0)])
    assert curve.diverged_at is not None
    assert np.isnan(curve.test[-1])
    assert np.isfinite(curve.weights["front.fc2.bias"]).all()


def test_weights_of_units_are_followed() -> None:
    (curve,) = train([Run(network("NMU", start=1.0), PRODUCT, recipe(), 0)])
    way = curve.measures["weight cell.weight[0, 1]"]
    assert len(way) == 3
    assert way[-1] == curve.weights["cell.weight"][0, 1]


def test_steps_cool_down_as_in_an_ordinary_loop() -> None:
    run = Run(network("NMU", start=1.0), PRODUCT, recipe(learning_rate=0.01, cooldown=4), 3)
    (curve,) = train([run])
    from nalm import attach
    from nalm.training.initial import initial_network

    model = initial_network(run.architecture, 3).train()
    supplier = run.task.supplier(8)
    read = supplier.reader([(run.task, 3)])(0, 4)["samples"].values
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
    cooling = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.0, total_iters=4)
    attach(optimiser, model)
    for step in range(4):
        x, y = supplier.batch({}, {"samples": read[step, 0]})
        optimiser.zero_grad()
        (model(x)[..., 0] - y[..., 0]).square().mean().backward()
        optimiser.step()
        cooling.step()
    for name, value in model.named_parameters():
        np.testing.assert_allclose(curve.weights[name], value.detach().numpy(), rtol=1e-3, atol=1e-4)
