"""The data flow is that of the code, and the landscape's valley is where the solution is."""

import pytest
from made_up_site import small_study

from nalm import NMU
from nalm.report.site.flow import Flow, flow_of, placed
from nalm.report.site.landscape import POINTS, landscape
from nalm.units.registry import units


def reachable(flow: Flow, end: int) -> set[int]:
    found = {end}
    for start, stop in reversed(flow.edges):
        if stop in found:
            found.add(start)
    return found


@pytest.mark.parametrize("name", sorted(units()))
def test_every_unit_flows_from_its_inputs_to_its_output(name: str) -> None:
    unit = units()[name](2, 1)
    flow = flow_of(unit)
    kinds = [kind for _, kind in flow.nodes]
    assert (kinds[0], kinds[-1]) == ("input", "output")
    assert reachable(flow, len(kinds) - 1) == set(range(len(kinds)))
    assert {label for label, kind in flow.nodes if kind == "parameter"} <= dict(
        unit.named_parameters()
    ).keys()


def test_the_nmu_is_a_product_of_sums() -> None:
    flow = flow_of(NMU(2, 1))
    assert flow.nodes[:2] == [("x (2)", "input"), ("weight", "parameter")]
    assert flow.nodes[-2:] == [("×", "operation"), ("y (1)", "output")]
    assert flow.sentence().startswith("× of weight and x (2)")


def test_places_go_from_left_to_right() -> None:
    nodes, edges = placed(flow_of(NMU(2, 1)))
    assert all(edge["x"] < edge["x2"] for edge in edges)
    assert len({(node["x"], node["y"]) for node in nodes}) == len(nodes)


def test_the_lowest_loss_is_at_the_solution() -> None:
    cell = next(c for c in small_study().cells if c.unit == "NMU" and c.label == "[1, 2)")
    drawn = landscape(cell, '{"layers.0.weight": [[0.3, 0.4]]}', "told")
    assert drawn is not None
    assert len(drawn.rows) == POINTS**2
    best = min(drawn.rows, key=lambda row: row["loss"])
    assert (best["first"], best["second"]) == (1.0, 1.0)
    assert drawn.parameter == "layers.0.weight"
