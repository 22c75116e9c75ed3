"""One run's computation, written in PyTorch, compiled to C in which every number is that of several runs.

A run is a pure function of tensors: an iteration takes the run's state to the next one, a measure takes its
parameters to some numbers. Both are ordinary eager PyTorch for ONE run, `torch.autograd.grad` and
`functional_call` included, without a run dimension. Here they become C functions in which every scalar is
a vector of `LANES` runs, so that no operation mixes runs: a run gives the same bits alone, in any company and
in any order.

    from nalm.compiler import Common, Drawn, Fixed, Given, Own, compile_function, compile_loop

    loop = compile_loop(iteration, state, settings, now)  # iteration(state, settings, now) -> new state
    state = loop.run(state, settings, tables, seeds, first, last)

    measure = compile_function(function, parameters, shared, own)   # function(parameters, data) -> results
    data = measure.prepare(runs, shared, own)
    results = measure(parameters, data)

The passes, one file each: `recorder` (aten operations of one eager call) → `lower` (each as an element-wise
statement or a fold over a box of indices, by the table in `operations`) → `schedule` (statements arranged in
loops) → `write` (C) → `build` (a shared library, kept in the user's cache).

Whatever cannot be compiled raises `Unsupported`, which names it; callers fall back to eager PyTorch then.
"""

from nalm.compiler.batch import CompiledBatch, Made, compile_batch
from nalm.compiler.build import compiler
from nalm.compiler.declare import Common, Drawn, Fixed, Given, Own
from nalm.compiler.drive import Company, Job, run_together
from nalm.compiler.errors import NoCompiler, Unsupported
from nalm.compiler.function import CompiledFunction, Data, compile_function
from nalm.compiler.lanes import LANES
from nalm.compiler.loop import CompiledLoop, compile_loop
from nalm.compiler.streams import normals, uniforms

__all__ = [
    "LANES",
    "Common",
    "Company",
    "CompiledBatch",
    "CompiledFunction",
    "CompiledLoop",
    "Data",
    "Drawn",
    "Fixed",
    "Given",
    "Job",
    "Made",
    "NoCompiler",
    "Own",
    "Unsupported",
    "compile_batch",
    "compile_function",
    "compile_loop",
    "compiler",
    "normals",
    "run_together",
    "uniforms",
]
