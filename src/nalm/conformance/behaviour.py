"""Checks of a unit as a function: shapes, precisions, determinism, errors."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from nalm.conformance.subject import Subject, assert_close, noise_for, run, seeded
from nalm.units.sources import Source


def declares_itself(subject: Subject) -> None:
    """Name, source and operations are there, and every declared weight exists."""
    unit = subject.build()
    assert unit.name, "name is empty"
    assert isinstance(unit.source, Source), "source must be a nalm.Source"
    assert all(isinstance(symbol, str) for symbol in unit.operations), "operations must be strings"
    for name, weight in unit.declared.items():
        value = getattr(unit, name, None)
        assert isinstance(value, Tensor), f"declared weight {name!r} is not an attribute that holds a tensor"
        assert weight.box is None or name in dict(unit.named_parameters()), (
            f"{name!r} has a box but is not a parameter, so it cannot be projected"
        )


def batch_shapes(subject: Subject) -> None:
    """[I], [B, I], [A, B, I] and an empty batch all work, row by row the same."""
    unit = subject.build()
    x = subject.inputs(2, 5)
    y = run(unit, x)
    assert y.shape == (2, 5, unit.output_features), f"input {list(x.shape)} gave output {list(y.shape)}"
    assert_close(run(unit, x.reshape(10, -1)), y.reshape(10, -1), "flattening the batch changes the output")
    assert_close(run(unit, x[1, 2]), y[1, 2], "a row alone and in a batch differ")
    empty = run(unit, x[:, :0])
    assert empty.shape == (2, 0, unit.output_features), f"an empty batch gave output {list(empty.shape)}"


def precisions(subject: Subject) -> None:
    """float32 and float64 give outputs of their own kind, close to each other."""
    x = subject.inputs(5)
    double, single = run(subject.build(), x), run(subject.build(torch.float32), x.float())
    assert double.dtype == torch.float64, f"float64 in, {double.dtype} out"
    assert single.dtype == torch.float32, f"float32 in, {single.dtype} out"
    assert_close(single.double(), double, "float32 and float64 differ", tolerance=1e-4)


def input_untouched(subject: Subject) -> None:
    """Neither training nor evaluation writes into the input."""
    for training in (True, False):
        unit = subject.build(training=training)
        x = subject.inputs(5)
        before = x.clone()
        run(unit, x, noise_for(unit, 5))
        assert torch.equal(x, before), f"the input was modified in place (training={training})"


def deterministic(subject: Subject) -> None:
    """Evaluation always repeats; training does given the same noise, or the same generator state."""
    x = subject.inputs(5)
    unit = subject.build()
    assert torch.equal(run(unit, x), run(unit, x)), "two evaluations differ"
    unit.train()
    noise = noise_for(unit, 5)
    assert torch.equal(run(unit, x, noise), run(unit, x, noise)), (
        "two training passes with the same noise differ"
    )
    with seeded(4):
        first = run(unit, x)
        after = torch.rand(())
    with seeded(4):
        assert torch.equal(run(unit, x), first), "training draws from something other than torch's generator"
    with seeded(4):
        drew = not torch.equal(torch.rand(()), after)
    assert not drew or unit.noise() is not None, "training draws random numbers that noise() does not declare"
    assert drew or unit.noise() is None, "noise() declares random numbers that training does not draw"


def initialisation(subject: Subject) -> None:
    """reset_parameters draws from torch's generator, gives finite numbers, and starts inside the boxes."""
    unit = subject.build()
    with seeded(5):
        unit.reset_parameters()
        first = {name: value.clone() for name, value in unit.named_parameters()}
    with seeded(5):
        unit.reset_parameters()
    for name, value in unit.named_parameters():
        assert torch.equal(first[name], value), f"{name} differs after two resets from the same seed"
        assert value.isfinite().all(), f"{name} starts with a number that is not finite"
        box = unit.declared[name].box if name in unit.declared else None
        assert box is None or bool(((value >= box[0]) & (value <= box[1])).all()), (
            f"{name} starts outside {box}"
        )


def errors(subject: Subject) -> None:
    """Wrong sizes, shapes and types raise errors that name the unit."""
    unit, size = subject.build(), subject.in_features
    mistakes: list[tuple[type[Exception], object]] = [
        (ValueError, torch.ones(4, size + 1, dtype=torch.float64)),
        (ValueError, torch.tensor(1.0, dtype=torch.float64)),
        (TypeError, torch.ones(4, size, dtype=torch.int64)),
        (TypeError, torch.ones(4, size, dtype=torch.float32)),
        (TypeError, torch.ones(4, size, dtype=torch.float64).to_sparse()),
        (TypeError, [[1.0] * size]),
    ]
    for kind, x in mistakes:
        described = f"{x.layout} {x.dtype} {list(x.shape)}" if isinstance(x, Tensor) else type(x).__name__
        _refuses(partial(unit, x), kind, subject, f"a {described} as input")
    for sizes in ((0, 1), (2, 0), (-1, 1), (2, 1.5)):
        _refuses(partial(subject.unit, *sizes, **subject.options), ValueError, subject, f"sizes {sizes}")


def _refuses(call: Callable[[], object], kind: type[Exception], subject: Subject, mistake: str) -> None:
    """The call raises an error of this kind, with the unit's name in it."""
    raised: Exception | None = None
    try:
        call()
    except Exception as error:
        raised = error
    assert raised is not None, f"{mistake} was accepted"
    assert isinstance(raised, kind), f"{mistake} raised {type(raised).__name__} instead of {kind.__name__}"
    assert subject.unit.__name__ in str(raised), f"the error for {mistake} does not name the unit: {raised}"
