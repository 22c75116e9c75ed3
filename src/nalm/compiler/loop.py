"""Iterations of many runs: a compiled iteration, its tables and its random numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from torch import Tensor

from nalm.compiler.batch import Made, dense, laid_out
from nalm.compiler.declare import Common, Entry, Fixed
from nalm.compiler.drive import MOST_ENTRIES, NOW, RESULT, SETTINGS, STATE, Job, Table, run_together
from nalm.compiler.errors import Unsupported
from nalm.compiler.kernel import FEWEST_SAMPLES, Input, Kernel, make_kernel
from nalm.compiler.lanes import Layout
from nalm.compiler.statements import InputAddress

Tensors = dict[str, Tensor]
Iteration = Callable[[Tensors, Tensors, Tensors], Tensors]


def compile_loop(
    iteration: Iteration,
    state: Mapping[str, Tensor],
    settings: Mapping[str, Tensor],
    now: Mapping[str, Entry | Made],
    samples: int | None = None,
) -> CompiledLoop:
    """Compile one iteration of one run.

    Args:
        iteration: takes state, settings and what is new to the next state, which has the same names and
            shapes; ordinary PyTorch on float32, integers and truth values, without side effects.
        state: an example of a run's state. Integers are computed in 32 bits; larger ones are saturated.
        settings: an example of what a run keeps throughout.
        now: what differs from iteration to iteration, as declared by `Common`, `Own`, `Given`, `Drawn`, by
            `Made` for what a compiled batch makes, and `Fixed` for data that does not.
        samples: the length of the dimension that samples lie along, which the outermost loops run over; by
            default the longest dimension of what is given or drawn.

    Raises:
        Unsupported: the iteration does something that has no rule; the message names the operation.

    Example:
        >>> import torch
        >>> from nalm.compiler import Common, compile_loop
        >>> def iteration(state, settings, now):
        ...     return {"w": state["w"] - settings["rate"] * 2 * (state["w"] - now["target"])}
        >>> one = torch.tensor(1.0)
        >>> loop = compile_loop(iteration, {"w": one}, {"rate": one}, {"target": Common(one)})
        >>> runs = {"w": torch.zeros(3)}, {"rate": torch.tensor([0.1, 0.25, 0.5])}
        >>> tables = {"target": torch.ones(2)}
        >>> loop.run(*runs, tables, torch.arange(3), 0, 2)["w"]
        tensor([0.3600, 0.7500, 1.0000])
    """
    if len(now) > MOST_ENTRIES:
        raise Unsupported(f"more than {MOST_ENTRIES} entries per iteration")
    layouts = Layout.of(state), Layout.of(settings)
    inputs: list[Input] = []
    given: list[Tensors] = []
    for pointer, layout, examples in zip((STATE, SETTINGS), layouts, (state, settings), strict=True):
        own = {name: dense(value) for name, value in examples.items()}
        inputs += [Input(own[name], InputAddress(pointer, offset)) for name, offset in layout.offsets.items()]
        given.append(own)
    if samples is None:
        shapes = [e.example.shape for e in now.values() if not isinstance(e, Common | Fixed)]
        longest = max((n for shape in shapes for n in shape), default=0)
        samples = longest if longest >= FEWEST_SAMPLES else None
    examples, orders = {}, {}
    for place, (name, entry) in enumerate(now.items()):
        source = InputAddress(NOW + place, common=isinstance(entry, Common | Fixed))
        examples[name], orders[name] = laid_out(entry, samples)
        inputs.append(Input(examples[name], source, sampled=not source.common))

    def places(results: Mapping[str, Tensor]) -> dict[str, InputAddress]:
        for name, (shape, dtype) in layouts[0].shapes.items():
            if name not in results or tuple(results[name].shape) != shape or results[name].dtype != dtype:
                raise ValueError(f"the new state must have {name} of shape {shape} and type {dtype}")
        return {name: InputAddress(RESULT, offset) for name, offset in layouts[0].offsets.items()}

    besides = sum(batch.kernel.body for batch in {e.batch for e in now.values() if isinstance(e, Made)})
    kernel = make_kernel(lambda: iteration(given[0], given[1], examples), inputs, places, samples, besides)
    return CompiledLoop(kernel, *layouts, dict(now), orders)


class CompiledLoop:
    """A compiled iteration; made by `compile_loop`."""

    def __init__(
        self,
        kernel: Kernel,
        state: Layout,
        settings: Layout,
        now: dict[str, Entry | Made],
        orders: dict[str, tuple[int, int]],
    ) -> None:
        self.kernel, self.state, self.settings, self.now, self.orders = kernel, state, settings, now, orders

    def start_build(self) -> None:
        """Start building the library without waiting for it, so that others can be compiled meanwhile."""
        self.kernel.start()

    def build(self) -> None:
        """Build and load the library now rather than at the first run."""
        self.kernel.address  # noqa: B018

    def run(
        self,
        state: Mapping[str, Tensor],
        settings: Mapping[str, Tensor],
        tables: Mapping[str, Table],
        seeds: Tensor,
        first: int,
        last: int,
    ) -> Tensors:
        """The state of every run after iterations [first, last).

        Args:
            state: by name, [runs, …].
            settings: by name, [runs, …].
            tables: by name, with one row per iteration, as the declarations in `declare` say.
            seeds: integers [runs]; runs of the same seed share their random numbers.
            first: the first iteration, by which random numbers are counted.
            last: the iteration to stop before.
        """
        return run_together([Job(self, state, settings, tables, seeds)], first, last)[0]
