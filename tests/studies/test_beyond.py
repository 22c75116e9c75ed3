"""The studies of logic, comparisons and sequences."""

from nalm.studies.comparison_studies import COMPARISON, COMPARISON_SCALE, PIECEWISE
from nalm.studies.counting_study import COUNTING
from nalm.studies.epidemic_study import EPIDEMIC
from nalm.studies.grid_world_study import GRID_WORLD
from nalm.studies.inalu_studies import MAGNITUDE, MINIMAL, RELEVANCE
from nalm.studies.logic_studies import LOGIC
from nalm.studies.program_studies import EVALUATION
from nalm.studies.sequence_lengths import LENGTHS, SEQUENCE_LENGTHS
from nalm.studies.sequence_studies import ACCUMULATION, SEQUENCES, SEQUENCES_SCALE
from nalm.studies.shortest_paths import SHORTEST_PATHS
from nalm.studies.study import BUDGETS
from nalm.studies.word_studies import WORDS
from nalm.training.structure import Structure

FULL = BUDGETS["full"]
ALL = (
    LOGIC, COMPARISON, COMPARISON_SCALE, PIECEWISE, SEQUENCES, ACCUMULATION, MINIMAL, MAGNITUDE, RELEVANCE,
    SEQUENCES_SCALE, WORDS, EVALUATION, GRID_WORLD, EPIDEMIC,
    COUNTING, SHORTEST_PATHS, SEQUENCE_LENGTHS,
)  # fmt: skip


def test_operations_share_their_code() -> None:
    """So that one compilation serves them all."""
    cells = [cell for cell in COMPARISON.cells if cell.unit == "NSR, redundancy 3" and cell.inputs == 5]
    runs = [cell.run(FULL, 0) for cell in cells]
    assert len(cells) == 12
    assert len({Structure.of(run) for run in runs}) == 1


def test_cells_can_be_run_and_judged() -> None:
    for study in ALL:
        for cell in study.cells[:: max(7, len(study.cells) // 4)]:
            assert 0 < study.limit(cell) < float("inf"), (study.name, cell.unit, cell.operation)
            assert cell.run(FULL, 1).identity != cell.run(FULL, 0).identity


def test_one_wrong_row_is_a_failure() -> None:
    for cell in LOGIC.cells:
        assert 0 < LOGIC.limit(cell) < 1 / cell.task.rows


def test_every_length_of_a_run_is_judged_by_its_own_targets() -> None:
    cells = {cell.setting: cell for cell in SEQUENCE_LENGTHS.cells if cell.unit == "NSR, redundancy 1"}
    assert list(cells) == [f"length {length}" for length in LENGTHS["count"]]
    assert len({cell.run(FULL, 0).identity for cell in cells.values()}) == 1
    assert len({cell.column for cell in cells.values()}) == len(cells)
    # A fifth of the elements is counted: twice the length has about four times the squared target.
    limits = [SEQUENCE_LENGTHS.limit(cell) for cell in cells.values()]
    assert 3 < limits[1] / limits[0] < 4.5
