import sympy

from nalm.report.learnt import is_target, learnt, tidy
from nalm.report.results import Results
from nalm.studies.composition_studies import COMPOSITION


def test_formulas_are_read_from_the_stored_weights(compositions):
    runs = {(run.cell.unit, run.cell.operation, run.seed): run for run in learnt(*compositions)}
    assert len(runs) == 3 * 2 * COMPOSITION.seeds
    a, b, c = sympy.symbols("a b c", positive=True)
    frozen = runs["recurrent, frozen", "add-mul", 0]
    assert [step.expressions[0] for step in frozen.steps] == [a + b, c * (a + b)]
    assert (frozen.readout, frozen.scratchpad, frozen.correct["adaptive"]) == (True, True, True)
    gated = runs["gated NAU; NMU", "add-mul", 1]
    # The stored network is off by a factor of 0.9; with rounded weights it is the target.
    assert sympy.expand(gated.steps[-1].expressions[0] - 0.9 * c * (a + b)) == 0
    assert (gated.readout, gated.scratchpad, gated.correct["adaptive"]) == (True, None, False)
    assert runs["gated NAU; NMU", "sub-sub", 0].readout is False
    perceptron = runs["MLP", "add-mul", 0]
    assert (perceptron.readout, perceptron.steps) == (None, [])


def test_runs_are_those_of_the_seeds_that_were_asked_for(compositions):
    results, store = compositions
    asked = Results.read(results.study, results.budget, store, seeds=[1])
    assert {run.seed for run in learnt(asked, store)} == {1}


def test_an_infinite_formula_is_no_target(compositions):
    results, _ = compositions
    cell = next(iter(results.curves))
    symbols = sympy.symbols("a b c d", positive=True)
    assert not is_target(sympy.zoo * symbols[0], cell, symbols)
    assert not is_target(sympy.Integer(1), cell, symbols)


def test_numbers_near_integers_become_them():
    a, b = sympy.symbols("a b")
    assert tidy(1.0004 * a**0.9996 * b**-0.001) == a
    assert str(tidy(0.12345 * a)) == "0.12*a"
