"""Every registered unit, and the networks of the composition study, compile and agree with eager PyTorch."""

import functools
import math

import pytest
import torch
from torch import Tensor
from torch.func import functional_call

from nalm import Architecture, Layer
from nalm.compiler import Common, Drawn, Own, compile_loop, normals, uniforms
from nalm.networks.model import boxes, penalties
from nalm.studies.composition_studies import MODELS, READINGS
from nalm.units.registry import units

Tensors = dict[str, Tensor]
BATCH = 32


class Training:
    """An iteration of a network: samples, loss and penalties, gradient, Adam, projection, divergence."""

    def __init__(self, architecture: Architecture, inputs: int) -> None:
        self.inputs = inputs
        self.network = architecture.build().train()
        self.boxes = boxes(self.network)
        self.terms = tuple(penalties(self.network))
        self.noises = {
            k: n for k, layer in enumerate(self.network.layers) if (n := layer.noise()) is not None
        }

    def state(self) -> Tensors:
        self.network.reset_parameters()
        own = {name: value.detach().clone() for name, value in self.network.named_parameters()}
        zeros = {f"{letter}.{name}": torch.zeros_like(v) for letter in "mv" for name, v in own.items()}
        return own | zeros | {"diverged_at": torch.tensor(-1)}

    def now(self) -> dict[str, Common | Own | Drawn]:
        drawn = {
            f"noise.{k}": Drawn(16 + k, tuple(noise.shape(BATCH)), noise.distribution == "normal")
            for k, noise in self.noises.items()
        }
        return {
            "iteration": Common(torch.tensor(0)),
            "strength": Own(torch.ones(len(self.terms))),
            "u": Drawn(0, (self.inputs, BATCH)),
            **drawn,
        }

    def loss(self, parameters: Tensors, x: Tensor, y: Tensor, now: Tensors) -> Tensor:
        noise = [now.get(f"noise.{k}") for k in range(len(self.network.layers))]
        total = (functional_call(self.network, parameters, (x, noise))[..., 0] - y).square().mean()
        with torch.nn.utils.stateless._reparametrize_module(self.network, parameters):
            values = penalties(self.network)
        return total + sum(now["strength"][k] * values[term] for k, term in enumerate(self.terms))

    def step(self, state: Tensors, settings: Tensors, now: Tensors) -> Tensors:
        x = 1 + now["u"] * settings["width"]
        names = [name for name, _ in self.network.named_parameters()]
        with torch.enable_grad():
            leaves = {name: state[name].detach().requires_grad_() for name in names}
            loss = self.loss(leaves, x.mT, x[0] * x[1], now)
            found = torch.autograd.grad(loss, list(leaves.values()), allow_unused=True)
        new: Tensors = {}
        for name, gradient in zip(names, found, strict=True):
            g = torch.zeros_like(state[name]) if gradient is None else gradient
            m = new[f"m.{name}"] = 0.9 * state[f"m.{name}"] + 0.1 * g
            v = new[f"v.{name}"] = 0.999 * state[f"v.{name}"] + 0.001 * g * g
            new[name] = state[name] - 0.01 * m / (v.sqrt() + 1e-3)
            if name in self.boxes:
                new[name] = new[name].clamp(*self.boxes[name])
        finite = functools.reduce(torch.logical_and, (new[name].abs().amax() < math.inf for name in names))
        alive = (state["diverged_at"] < 0) & finite
        stopped = torch.where((state["diverged_at"] < 0) & ~finite, now["iteration"], state["diverged_at"])
        return {n: torch.where(alive, value, state[n]) for n, value in new.items()} | {"diverged_at": stopped}

    def eager(
        self, state: Tensors, settings: Tensors, seed: int, iterations: int, dtype: torch.dtype
    ) -> Tensors:
        def cast(tensors: Tensors) -> Tensors:
            return {n: v.to(dtype) if v.is_floating_point() else v for n, v in tensors.items()}

        state = cast(state)
        for t in range(iterations):
            now = {"iteration": torch.tensor(t), "strength": torch.full((len(self.terms),), 0.01)}
            for name, entry in self.now().items():
                if isinstance(entry, Drawn):
                    draw = normals if entry.normal else uniforms
                    numbers = draw(torch.tensor([seed]), entry.stream, t, 1, math.prod(entry.shape))
                    now[name] = numbers.view(entry.shape)
            state = self.step(state, cast(settings), cast(now))
        return state


def check(architecture: Architecture, inputs: int, iterations: int = 2) -> None:
    torch.manual_seed(0)
    training = Training(architecture, inputs)
    states = [training.state() for _ in range(3)]
    settings = [{"width": torch.tensor(float(k + 1))} for k in range(3)]
    loop = compile_loop(training.step, states[0], settings[0], training.now())
    together = [{n: torch.stack([row[n] for row in rows]) for n in rows[0]} for rows in (states, settings)]
    tables = {
        "iteration": torch.arange(iterations),
        "strength": torch.full((iterations, 3, len(training.terms)), 0.01),
    }
    found = loop.run(*together, tables, torch.tensor([4, 4, 9]), 0, iterations)
    for run, seed in enumerate((4, 4, 9)):
        theirs, exact = (
            training.eager(states[run], settings[run], seed, iterations, dtype)
            for dtype in (torch.float32, torch.float64)
        )
        for name, value in exact.items():
            if not value.is_floating_point():
                assert torch.equal(found[name][run], value)
                continue
            scale = value.abs().amax().clamp(min=1e-2)
            ours, eager = (
                (v.double() - value).abs().amax() / scale for v in (found[name][run], theirs[name])
            )
            assert ours <= 20 * eager + 2e-5, f"{name}: {ours:.1e} from double precision, eager {eager:.1e}"


@pytest.mark.parametrize("unit", units())
def test_every_unit_compiles_and_agrees(unit: str) -> None:
    check(Architecture((Layer(unit, 2, 1),)), 2)


@pytest.mark.parametrize("unit", ["NAU", "NMU", "NALU"])
def test_many_inputs(unit: str) -> None:
    check(Architecture((Layer("NAU", 100, 2), Layer(unit, 2, 1))), 100, iterations=1)


@pytest.mark.parametrize("model", [*MODELS, *READINGS], ids=lambda model: model.label)
def test_every_network_of_the_composition_study_compiles(model) -> None:
    check(model.architecture, 4, iterations=1)
