"""What has been run of long studies, and how far."""

import dataclasses

from made_up import Cell, MadeUp

from nalm.report.reduced_tables import reduced_page
from nalm.studies.claims import Effort, Place
from nalm.studies.two_layer import TWO_LAYER

NMU, LINEAR = (Place("two-layer", unit, "mul", "[1, 2)") for unit in ("NMU", "Linear"))


class Cut(MadeUp):
    def effort(self, place: Place) -> Effort:
        found = super().effort(place)
        return dataclasses.replace(found, iterations=1_500_000, published_iterations=5_000_000, stopped=True)


def test_a_row_says_how_far_and_what_was_published_by_then() -> None:
    (row,) = reduced_page(TWO_LAYER, Cut({NMU: Cell(0.5, 1_400_000.0)}, seeds=20)).splitlines()[2:]
    columns = [column.strip() for column in row.strip("|").split("|")]
    assert columns[:5] == ["NMU", "mul", "[1, 2)", "1,500,000, stopped once solved", "20 of 100"]
    assert columns[5:8] == ["0.50 [0.30, 0.70]", "0.98", "0.61"]
    assert columns[9] == "1,400,000"


def test_a_study_without_runs_has_no_table() -> None:
    assert reduced_page(TWO_LAYER, MadeUp({})) == ""
