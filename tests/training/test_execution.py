"""Which way runs are trained: compiled to C, by torch.compile, or eagerly; the results agree."""

import warnings

import numpy as np
import pytest
import torch

from nalm import Architecture, Layer, ModuleNetwork, Recipe, Run, train
from nalm.tasks import single_module
from nalm.training import execution
from nalm.training.compiled import CompiledProgram
from nalm.training.mapped import MappedProgram

RECIPE = Recipe(iterations=20, evaluate_every=10)


@pytest.fixture(autouse=True)
def _forget():
    execution._kept.clear()
    execution._say_once_what_is_missing.cache_clear()
    yield
    execution._kept.clear()


def kinds():
    return {type(kept) for kept in execution._kept.values()}


def test_compiled_and_eager_training_agree(monkeypatch):
    run = Run(Architecture((Layer("NALU", 2, 1),)), single_module("mul"), RECIPE, seed=1)
    (compiled,) = train([run])
    assert kinds() == {CompiledProgram}
    execution._kept.clear()
    monkeypatch.setattr(execution, "compiler", lambda: None)
    with pytest.warns(RuntimeWarning, match=r"no C compiler found.*slower.*install gcc or clang"):
        (eager,) = train([run])
    assert kinds() == {MappedProgram}
    np.testing.assert_allclose(compiled.test, eager.test, rtol=1e-4)
    execution._kept.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        train([run])  # it is said once


def test_a_run_is_measured_alike_with_targets_of_its_own_and_with_those_of_all():
    """Ten inputs: a run's operands, and so its targets, lie elsewhere for other seeds."""
    network = Architecture((Layer("NMU", 10, 1),))
    runs = [Run(network, single_module("mul", 10), RECIPE, seed) for seed in range(3)]
    alone = [train([run])[0] for run in runs]
    (program,) = execution._kept.values()
    assert len(program._measures) == 1
    for one, other in zip(alone, train(runs), strict=True):
        assert one.validation.tobytes() == other.validation.tobytes()
        assert one.test.tobytes() == other.test.tobytes()
    assert len(program._measures) == 2


class Sorting(torch.nn.Module):
    """Sorts its inputs, which has no rule in the compiler, and counts its calls in a buffer."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(2, 1)
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.training:
            self.calls += 1
        return self.linear(x.sort(dim=-1).values)


def test_an_operation_without_a_rule_is_named_and_trained_all_the_same(monkeypatch):
    monkeypatch.setattr(torch, "compile", lambda function, **options: function)
    run = Run(ModuleNetwork(f"{__name__}:Sorting"), single_module("add"), RECIPE, seed=0)
    with pytest.warns(RuntimeWarning, match=r"cannot be compiled to C \(.*sort"):
        (curve,) = train([run])
    assert kinds() == {MappedProgram}
    assert curve.test[-1] < curve.test[0]
    assert curve.weights["calls"] == 20  # buffers survive
    assert np.isnan(curve.sparsity).all()  # no units, no sparsity
