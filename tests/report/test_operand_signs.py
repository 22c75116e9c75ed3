"""Mixed signs by seed."""

import math

from nalm.report.operand_signs import differ, sign_page, sign_table
from nalm.report.results import Results
from nalm.studies.division_studies import DIVISION, DIVISION_REDUNDANT
from nalm.studies.study import BUDGETS, Selection

FULL = BUDGETS["full"]
CHOICE = Selection(units=("NRU",), ranges=("mixed signs 1", "mixed signs 1, as printed", "mixed signs 3"))


def test_two_of_25_seeds_divide_numbers_of_different_sign() -> None:
    coded, printed = (
        next(cell for cell in DIVISION_REDUNDANT.cells if cell.label == label)
        for label in ("mixed signs 1", "mixed signs 1, as printed")
    )
    assert [seed for seed in range(25) if differ(coded, seed)] == [7, 10]
    assert all(differ(printed, seed) for seed in range(25))


def test_success_is_split_by_sign(store, made_up) -> None:
    store.add(
        made_up(DIVISION_REDUNDANT, FULL, CHOICE, range(8), solves=lambda cell, run: differ(cell, run.seed))
    )
    results = Results.read(DIVISION_REDUNDANT, FULL, store, CHOICE, range(8))
    table = sign_table(results, store).set_index("range")
    # One interval for both operands has no halves to compare.
    assert list(table.index) == ["mixed signs 1", "mixed signs 1, as printed"]
    coded, printed = table.loc["mixed signs 1"], table.loc["mixed signs 1, as printed"]
    assert (coded["same"], coded["same_runs"], coded["mixed"], coded["mixed_runs"]) == (0, 7, 1, 1)
    assert (printed["mixed"], printed["mixed_runs"]) == (1, 8)
    assert math.isnan(printed["same"])
    page = sign_page(results, store)
    assert "| NRU | mixed signs 1 | 0.00 [0.00, 0.35], n = 7 | 1.00 [0.21, 1.00], n = 1 |" in page
    assert "| NRU | mixed signs 1, as printed | – | 1.00 [0.68, 1.00], n = 8 |" in page


def test_two_inputs_always_differ(store, made_up) -> None:
    choice = Selection(units=("NRU",), ranges=("mixed signs 1",))
    store.add(made_up(DIVISION, FULL, choice, range(2)))
    assert sign_page(Results.read(DIVISION, FULL, store, choice, range(2)), store) == ""
