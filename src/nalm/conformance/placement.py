"""Checks of where a unit's parameters are made: precision, and the meta device of deferred initialisation."""

from __future__ import annotations

import torch

from nalm.conformance.subject import Subject, run, seeded
from nalm.units.base import Unit


def device_and_dtype(subject: Subject) -> None:
    """`device=` and `dtype=` put all parameters there, as in every layer of torch."""
    for dtype in (torch.float64, torch.float32):
        unit = _build(subject, device="cpu", dtype=dtype)
        found = {parameter.dtype for parameter in unit.parameters()}
        assert found == {dtype}, f"dtype={dtype} gave parameters of {sorted(map(str, found))}"
        y = run(unit.eval(), subject.inputs(4, dtype=dtype))
        assert y.dtype == dtype, f"dtype={dtype} gave outputs of {y.dtype}"


def meta_device(subject: Subject) -> None:
    """Built on the meta device, by `device=` or by context, a unit has shapes; `to_empty` makes it real."""
    with torch.device("meta"):
        in_context = subject.unit(subject.in_features, subject.out_features, **subject.options)
    for unit in (_build(subject, device="meta"), in_context):
        places = {parameter.device.type for parameter in unit.parameters()}
        assert places == {"meta"}, f"built on the meta device, it has parameters on {sorted(places)}"
        x = torch.empty(4, subject.in_features, device="meta")
        for training in (True, False):
            y = run(unit.train(training), x)
            assert y.shape == (4, unit.output_features), f"on the meta device the output is {list(y.shape)}"
        unit.to_empty(device="cpu")
        real = subject.build(torch.float32)
        for each in (unit, real):
            with seeded(6):
                each.reset_parameters()
        for name, value in real.state_dict().items():
            assert torch.equal(unit.state_dict()[name], value), (
                f"after to_empty() and reset_parameters(), {name} is not what a unit built in memory has"
            )


def _build(subject: Subject, device: str, dtype: torch.dtype | None = None) -> Unit:
    try:
        with seeded(0):
            return subject.unit(
                subject.in_features, subject.out_features, **subject.options, device=device, dtype=dtype
            )
    except TypeError as error:
        raise AssertionError(
            f"it does not take device= and dtype= ({error}): "
            "take **factory and call super().__init__(in_features, out_features, **factory)"
        ) from error
