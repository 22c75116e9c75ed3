import pytest

from nalm.report.composition_tables import readout_page, solved_page, solved_table
from nalm.report.results import Results
from nalm.store import Store
from nalm.studies.composition_studies import COMPOSITION
from nalm.studies.study import BUDGETS


def test_the_table_counts_per_seed_and_stands_beside_the_record(compositions):
    frame = solved_table(*compositions).set_index("unit")
    frozen = frame.loc["recurrent, frozen"]
    assert frozen["solved_by_seed"] == [2] * COMPOSITION.seeds
    assert (frozen["published_solved"], frozen["published_extrapolation"]) == (7, 99.76)
    gated = frame.loc["gated NAU; NMU"]
    assert (gated["solved"], gated["solved_readout"]) == (0, 1)
    assert gated["extrapolation"] == pytest.approx(5.5)
    page = solved_page(*compositions)
    assert "| recurrent, frozen | 2, 2 | 2, 2 | 2, 2 | 2, 2 | 7 | 0 ± 0 | 0.891 | 0 ± 0 | 99.8 |" in page


def test_networks_that_all_diverged_have_no_error(compositions):
    assert "| MLP | 0, 0 | 0, 0 | 0, 0 | – | 0 | all diverged | 0.002 | all diverged | 233 |" in solved_page(
        *compositions
    )


def test_the_page_shows_every_line_of_working(compositions):
    page = readout_page(*compositions)
    assert "| add-mul | 0 | ✓ | `c*(a + b)` | `a + b` | `c*z1` | `c*(a + b)` | ✓ |" in page
    assert "What was learnt: MLP" not in page


def test_an_empty_store_has_no_table(tmp_path):
    results = Results.read(COMPOSITION, BUDGETS["full"], Store(tmp_path))
    assert (solved_page(results, Store(tmp_path)), readout_page(results, Store(tmp_path))) == ("", "")
