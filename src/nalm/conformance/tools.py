"""Checks of a unit with torch's tools: function transforms, compiler, export, copies, files, autocast."""

from __future__ import annotations

import copy
import importlib.util
import warnings

import torch
from torch import Tensor
from torch.func import grad, stack_module_state, vmap

from nalm.conformance.subject import Subject, assert_close, noise_for, run, run_with
from nalm.units.base import Unit


class Skip(Exception):
    """A check that cannot run here, with the reason."""


def vmapped(subject: Subject) -> None:
    """Outputs and gradients of several units at once equal those of each alone."""
    units = [subject.build(seed=seed, training=True) for seed in range(3)]
    x = torch.stack([subject.inputs(4, seed=seed) for seed in range(3)])
    noise = noise_for(units[0], 4)
    stacked, _ = stack_module_state(units)

    def loss(parameters: dict[str, Tensor], x: Tensor) -> Tensor:
        return run_with(units[0], parameters, x, noise).square().sum()

    outputs = vmap(lambda p, x: run_with(units[0], p, x, noise))(stacked, x)
    gradients = vmap(grad(loss))(stacked, x)
    for index, unit in enumerate(units):
        y = run(unit, x[index], noise)
        assert_close(outputs[index], y, "vmap changes the output")
        alone = grad(loss)(dict(unit.named_parameters()), x[index])
        for name, value in alone.items():
            assert_close(gradients[name][index], value, f"vmap changes the gradient of {name}")


def compiled(subject: Subject) -> None:
    """torch.compile without graph breaks gives the same outputs and gradients, in training and evaluation."""
    torch.compiler.reset()
    for training in (True, False):
        unit = subject.build(torch.float32, training=training)
        x = subject.inputs(4, dtype=torch.float32)
        noise = noise_for(unit, 4)
        expected = _output_and_gradient(unit, unit, x, noise)
        fast = torch.compile(unit, backend=subject.compiler, fullgraph=True, dynamic=False)
        for found, wanted in zip(_output_and_gradient(fast, unit, x, noise), expected, strict=True):
            assert_close(found, wanted, "compiled and eager differ", tolerance=1e-4)


def exported(subject: Subject) -> None:
    """torch.export with a free batch size gives the same outputs."""
    unit = subject.build(torch.float32)
    x = subject.inputs(4, dtype=torch.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.export.export(
            unit, (x,), dynamic_shapes=({0: torch.export.Dim("batch", min=2)},)
        ).module()
    other = subject.inputs(7, dtype=torch.float32, seed=8)
    assert_close(program(other), run(unit, other), "exported and eager differ", tolerance=1e-5)


def deepcopied(subject: Subject) -> None:
    """A deep copy computes the same and shares nothing."""
    unit = subject.build()
    twin = copy.deepcopy(unit)
    x = subject.inputs(4)
    y = run(unit, x)
    assert torch.equal(run(twin, x), y), "the copy computes something else"
    with torch.no_grad():
        for parameter in twin.parameters():
            parameter.add_(1)
    assert torch.equal(run(unit, x), y), "the copy shares parameters with the original"


def state_dict(subject: Subject) -> None:
    """A fresh unit given another's state_dict computes the same."""
    unit, other = subject.build(seed=0), subject.build(seed=1)
    other.load_state_dict(unit.state_dict())
    x = subject.inputs(4)
    assert torch.equal(run(other, x), run(unit, x)), "the state_dict does not hold the whole state"


def safetensors(subject: Subject) -> None:
    """The same through safetensors' file format."""
    if importlib.util.find_spec("safetensors") is None:
        raise Skip("pip install safetensors to run it")
    from safetensors.torch import load, save

    unit, other = subject.build(seed=0), subject.build(seed=1)
    other.load_state_dict(load(save(dict(unit.state_dict()))))
    x = subject.inputs(4)
    assert torch.equal(run(other, x), run(unit, x)), "what was saved is not what is loaded"


def autocast(subject: Subject) -> None:
    """Under autocast the unit still computes in the precision of its weights."""
    unit = subject.build(torch.float32)
    x = subject.inputs(4, dtype=torch.float32).bfloat16()
    expected = run(unit, x.float())
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = run(unit, x)
    assert y.dtype == torch.float32, f"float32 weights gave {y.dtype} under autocast"
    assert_close(y, expected, "autocast changes the output", tolerance=1e-6)


def _output_and_gradient(module: object, unit: Unit, x: Tensor, noise: Tensor | None) -> list[Tensor]:
    y = run(module, x, noise)  # type: ignore[arg-type]
    gradients = torch.autograd.grad(y.square().sum(), list(unit.parameters()), allow_unused=True)
    return [y.detach(), *(g for g in gradients if g is not None)]
