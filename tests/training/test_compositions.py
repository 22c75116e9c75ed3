"""Multi-step expressions and blocks go through the engine as single operations and units do."""

import numpy as np
import pytest

from nalm import Architecture, Layer, Recipe, Run, train
from nalm.tasks import EXPRESSIONS, composition
from nalm.training.structure import chunks

QUICK = Recipe(iterations=150, evaluate_every=50, learning_rate=0.05)
NAU = Architecture((Layer("NAU", 4, 1),))
FROZEN = Architecture((Layer("FrozenSelector", 4, 1),))


def test_a_unit_learns_the_expressions_that_are_sums(eager):
    names = ("sub-sub", "add-sub")
    curves = train([Run(NAU, composition(name), QUICK, 0) for name in names])
    weights = [np.round(curve.weights["layers.0.weight"][0]).tolist() for curve in curves]
    assert weights == [[1, 1, -1, 0], [-1, -1, -1, 0]]


def test_a_run_is_the_same_in_any_company(eager):
    recipe = Recipe(iterations=6, evaluate_every=3, optimiser="sgd", learning_rate=1e-2)
    together = [Run(FROZEN, composition(name), recipe, seed) for seed in (3, 5) for name in EXPRESSIONS]
    (alone,) = train([together[20]])
    curve = train(together)[20]
    assert np.array_equal(alone.validation, curve.validation)
    assert all(np.array_equal(alone.weights[name], curve.weights[name]) for name in alone.weights)
    # The Gumbel noise is the seed's own: another seed starts alike and learns otherwise.
    other = train([Run(FROZEN, composition(EXPRESSIONS[4]), recipe, 3)])[0]
    assert other.validation[0] == curve.validation[0]
    assert not np.array_equal(
        other.weights["layers.0.module_logits"], curve.weights["layers.0.module_logits"]
    )


def test_expressions_of_different_length_are_trained_apart():
    runs = [Run(NAU, composition(name, inputs=4), QUICK, 0) for name in ("add-add", "add-add-mul", "mul-add")]
    assert sorted(len(chunk.runs) for chunk in chunks(runs)) == [1, 2]


def test_there_is_no_reference_stream_to_replay():
    with pytest.raises(TypeError, match="no reference implementation of add-mul"):
        chunks([Run(NAU, composition("add-mul"), QUICK, 0)], replay=True)
