"""The reduced design of the two-layer studies."""

from fractions import Fraction

import pytest

from nalm.measuring.counts import Count
from nalm.measuring.seeds_needed import ENOUGH, power_of_curve
from nalm.studies.catalogue import STUDIES
from nalm.studies.claims import Place
from nalm.studies.least_error import OUT_OF_REACH
from nalm.studies.ledger import CLAIMS
from nalm.studies.published_runs import runs_of, solved_at, solved_by
from nalm.studies.reduced_design import (
    NINE_IN_TEN,
    PARTS,
    horizon,
    parts_of,
    reduced_runs,
    run_iterations,
    seeds_asked,
)
from nalm.studies.rules.sameness import SameCurve
from nalm.studies.rules.verdicts import EFFECT_ON_CURVE
from nalm.studies.study import Selection
from nalm.studies.two_layer import TWO_LAYER

NAMES = list(dict.fromkeys(part.study for part in PARTS))


@pytest.mark.parametrize("name", NAMES)
def test_every_part_has_cells_and_no_cell_two_parts(name: str) -> None:
    parts = parts_of(STUDIES[name])
    assert all(cells for _, cells in parts)
    cells = [cell for _, part in parts for cell in part]
    assert len(cells) == len(set(cells))


def test_tables_2_and_6_are_covered_but_for_what_no_weights_can_do() -> None:
    covered = {(cell.unit, cell.operation) for _, cells in parts_of(TWO_LAYER) for cell in cells}
    for cell in TWO_LAYER.cells:
        beyond = cell.operation in OUT_OF_REACH.get(cell.unit, ())
        assert ((cell.unit, cell.operation) in covered) != beyond or cell.record.variant


def test_after_a_horizon_at_most_two_in_a_hundred_published_runs_were_solved() -> None:
    for cell in TWO_LAYER.cells:
        place = Place(TWO_LAYER.name, cell.unit, cell.operation, cell.label)
        until = horizon(TWO_LAYER, cell)
        if until is None or runs_of(place) is None:
            continue
        early, ever = solved_by(place, until), solved_by(place, cell.recipe.iterations)
        assert early is not None
        assert ever is not None
        assert ever.solved - early.solved <= 2, place


@pytest.mark.parametrize("operation", NINE_IN_TEN)
def test_where_nobody_succeeds_runs_go_on_until_nine_in_ten_solutions_of_others_came(operation: str) -> None:
    until = float(Fraction(NINE_IN_TEN[operation])) * 5_000_000
    places = [Place(TWO_LAYER.name, c.unit, c.operation, c.label) for c in TWO_LAYER.cells]
    solved_as = "mul" if operation == "div" else operation
    known = [solved for p in places if p.operation == solved_as and (solved := solved_at(p, None))]
    solutions = [iteration for own in known for iteration in own]
    assert len(solutions) > 200
    assert 0.9 <= sum(iteration <= until for iteration in solutions) / len(solutions) <= 0.96


def seeds_of(place: Place) -> int:
    study = STUDIES[place.study]
    named = place.unit, place.operation, place.label
    (cell,) = [c for c in study.cells if (c.unit, c.operation, c.label) == named]
    return seeds_asked(study, cell) or 0


@pytest.mark.parametrize(
    "study", ["two-layer-ranges", "two-layer-overlap", "two-layer-subset", "two-layer-stochastic"]
)
def test_curves_have_the_seeds_they_need(study: str) -> None:
    curves = [claim.rule for claim in CLAIMS if isinstance(claim.rule, SameCurve)]
    own = [curve.points for curve in curves if curve.places[0].study == study]
    assert own
    for points in own:
        # Points that no part asks for are left out, as by the rule.
        counts = [(seeds_of(point.place), point.published.count) for point in points]
        pairs = [(Count(round(c.share * seeds), seeds), c) for seeds, c in counts if seeds]
        assert power_of_curve(pairs, EFFECT_ON_CURVE) >= ENOUGH, points[0]


def test_it_costs_a_tenth_of_the_published_effort_even_if_no_run_stops_early() -> None:
    published = sum(STUDIES[name].seeds * c.recipe.iterations for name in NAMES for c in STUDIES[name].cells)
    assert sum(run_iterations(STUDIES[name]) for name in NAMES) < published / 8


def test_runs_of_a_selection() -> None:
    ((budget, runs),) = reduced_runs(TWO_LAYER, Selection(units=("NMU",), operations=("mul",)))
    assert budget.name == "3/5 to touch"
    assert [run.seed for _, run in runs] == list(range(20))
    assert {run.recipe.iterations for _, run in runs} == {3_000_000}


def test_runs_whose_sparsity_is_compared_go_on_to_the_end() -> None:
    ((budget, runs),) = reduced_runs(STUDIES["two-layer-stochastic"], Selection(units=("sNMU U[1, 5]",)))
    assert budget.name == "full"
    assert all(run.recipe.stop is None for _, run in runs)
    ((budget, runs),) = reduced_runs(STUDIES["two-layer-loss"], Selection(units=("NMU, MAPE",)))
    assert budget.name == "3/5 to touch"
    assert all(run.recipe.stop is not None for _, run in runs)


def test_what_has_no_reduced_design_says_so() -> None:
    with pytest.raises(ValueError, match=r"there is no reduced design .* there is one of two-layer, gating"):
        reduced_runs(STUDIES["ten-parameter"], Selection())
