"""The data flow is that of the code, and the landscape's valley is where the solution is."""

import pytest
from made_up_site import small_study

from nalm import INALU, NMU, NPU
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
    assert flow.nodes[-2:] == [("Π", "operation"), ("y (1)", "output")]
    assert flow.sentence().startswith("× of weight and x (2)")


def test_what_is_done_to_every_input_is_drawn_once() -> None:
    few, many = flow_of(NMU(2, 1)), flow_of(NMU(3, 1))
    assert [label for label, kind in few.nodes if kind == "operation"] == ["×", "+ 1", "−", "Π"]
    assert many.nodes[1:5] == few.nodes[1:5]
    labels = [label for label, _ in flow_of(NPU(2, 1)).nodes]
    assert "+ ε" in labels
    assert "× π" in labels


def test_a_name_fits_into_its_box() -> None:
    nodes, _ = placed(flow_of(INALU(2, 1)))
    widths = {node["label"]: node["right"] - node["left"] for node in nodes}
    assert widths["mul_weight_hat"] > widths["exp"]
    assert max(widths.values()) < 1  # a layer


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
    assert drawn.ended == pytest.approx((0.3, 0.4))
