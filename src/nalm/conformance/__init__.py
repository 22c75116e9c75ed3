"""The conformance kit: what a unit must do to be used like ours, checked on any unit, yours included.

Example:
    >>> from nalm import NMU
    >>> from nalm.conformance import check_unit
    >>> results = check_unit(NMU, only=["batch shapes", "formula at discrete weights"])
    >>> for result in results:
    ...     print(result)
    passed   batch shapes
    passed   formula at discrete weights
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nalm.conformance import behaviour, gradients, placement, readout, tools
from nalm.conformance.subject import Subject
from nalm.units.base import Unit

CHECKS: dict[str, Callable[[Subject], None]] = {
    "declares itself": behaviour.declares_itself,
    "batch shapes": behaviour.batch_shapes,
    "float32 and float64": behaviour.precisions,
    "input untouched": behaviour.input_untouched,
    "deterministic": behaviour.deterministic,
    "initialisation": behaviour.initialisation,
    "errors": behaviour.errors,
    "device and dtype": placement.device_and_dtype,
    "meta device": placement.meta_device,
    "gradients at random points": gradients.at_random_points,
    "gradients at zeros": gradients.at_zeros,
    "gradients at bounds": gradients.at_bounds,
    "formula at discrete weights": readout.formula_at_discrete_weights,
    "formula at raw weights": readout.formula_at_raw_weights,
    "projection": readout.projection,
    "penalties": readout.penalties,
    "vmap": tools.vmapped,
    "compile": tools.compiled,
    "export": tools.exported,
    "deepcopy": tools.deepcopied,
    "state_dict": tools.state_dict,
    "safetensors": tools.safetensors,
    "autocast": tools.autocast,
}
"""All checks by name, in the order they run."""


@dataclass(frozen=True)
class Result:
    """How one check went: `status` is passed, failed or skipped, `detail` says why."""

    check: str
    status: str
    detail: str
    seconds: float

    def __str__(self) -> str:
        return f"{self.status:8} {self.check}" + (f": {self.detail}" if self.detail else "")


def check_unit(
    unit: type[Unit],
    options: Mapping[str, Any] | None = None,
    *,
    only: Sequence[str] | None = None,
    compiler: str = "aot_eager",
) -> list[Result]:
    """Run the checks on a unit class, built as `unit(in_features, out_features, **options)`.

    Args:
        unit: a subclass of `nalm.Unit`.
        options: keyword arguments it is built with.
        only: names of the checks to run; all by default.
        compiler: backend of `torch.compile`; `"inductor"` is slower and needs a C++ compiler.
    """
    unknown = [name for name in only or () if name not in CHECKS]
    if unknown:
        raise ValueError(f"unknown check {unknown[0]!r}; there are: {', '.join(CHECKS)}")
    subject = Subject(unit, dict(options or {}), compiler=compiler)
    return [_run(name, subject) for name in only or CHECKS]


def _run(name: str, subject: Subject) -> Result:
    start = time.perf_counter()
    status, detail = "passed", ""
    try:
        CHECKS[name](subject)
    except tools.Skip as reason:
        status, detail = "skipped", str(reason)
    except Exception as error:
        status = "failed"
        detail = (
            str(error).strip() if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
        )
    return Result(name, status, detail, time.perf_counter() - start)
