"""The papers' further kinds of figures as Vega-Lite, by Altair: those that studies declare by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from nalm.report.site.axes import powers_of_ten
from nalm.report.site.charts import ACCENT, FIT, LEGEND, finished, named, theme_colours, unit_shape

TALL = 150
"""Height of a small panel."""


def success_by_setting(operations: Sequence[str], labels: Sequence[str]) -> dict[str, Any]:
    """A panel per operation, a line per unit, success over the settings with its interval."""
    chosen = _by_legend()
    base = alt.Chart().encode(
        x=alt.X("label:N", title=None, sort=list(labels), axis=alt.Axis(labelAngle=-30, grid=False)),
        xOffset=alt.XOffset("unit:N"),
        **_unit(chosen),
    )
    y = alt.Y("success:Q", title="success rate", scale=alt.Scale(domain=[0, 1]))
    ends = base.mark_rule(strokeWidth=1.5, aria=False).encode(
        y=alt.Y("low:Q", title="success rate"), y2="high:Q"
    )
    lines = base.mark_line(strokeWidth=1, aria=False).encode(y=y)
    points = _points(base, y, ["unit", "label", "told", "seeds"]).add_params(chosen)
    width = max(34 * len(labels), 150)
    panel = alt.layer(ends, lines, points).properties(width=min(width, 320), height=TALL)
    return _facets(panel, alt.Facet("operation:N", title=None, sort=list(operations)), columns=3)


def by_length(column: str, title: str, *, logarithmic: bool) -> dict[str, Any]:
    """A line per unit over the length of sequences; `Low` and `High` of the column are the interval."""
    chosen = _by_legend()
    scale = alt.Scale(type="log") if logarithmic else alt.Scale(domain=[0, 1])
    base = named().encode(x=alt.X("length:Q", title="length of the sequence"), **_unit(chosen))
    axis = powers_of_ten(6) if logarithmic else alt.Axis(tickCount=5)
    y = alt.Y(f"{column}:Q", title=title, scale=scale, axis=axis)
    layers = [base.mark_line(strokeWidth=1.5, aria=False).encode(y=y)]
    if not logarithmic:
        layers.append(
            base.mark_rule(strokeWidth=1.5, aria=False).encode(
                y=alt.Y("low:Q", title=title, axis=axis), y2="high:Q"
            )
        )
    layers.append(_points(base, y, ["unit", "length", "told", "seeds"]).add_params(chosen))
    chart = alt.layer(*layers).properties(width="container", height=280, autosize=FIT)
    return finished(chart.add_params(*theme_colours()))


def quartiles(labels: Sequence[str]) -> dict[str, Any]:
    """Medians and quartiles of the runs' errors by range in three panels, and the threshold of success."""
    chosen = _by_legend()
    panels = []
    for place, (column, title) in enumerate(
        {
            "interpolation": "interpolation error",
            "extrapolation": "extrapolation error",
            "sparsity": "sparsity error",
        }.items()
    ):
        last = place == 2
        x = alt.X(
            "label:N",
            title=None,
            sort=list(labels),
            axis=alt.Axis(labelAngle=-30, grid=False) if last else None,
        )
        base = named().encode(x=x, xOffset=alt.XOffset("unit:N"), **_unit(chosen))
        axis: dict[str, Any] = {
            "title": title,
            "scale": alt.Scale(type="log"),
            "axis": powers_of_ten(5),
        }
        layers = [
            base.mark_rule(strokeWidth=1.5, aria=False).encode(
                y=alt.Y(f"{column}Low:Q", **axis), y2=f"{column}High:Q"
            ),
            _points(base, alt.Y(f"{column}:Q", **axis), ["unit", "label", f"{column}Told", "runs"]),
        ]
        if place == 0:
            layers[-1] = layers[-1].add_params(chosen)
        if column == "extrapolation":
            layers.append(
                named()
                .mark_tick(thickness=2, bandSize=60, aria=False)
                .encode(x=x, y=alt.Y("threshold:Q", **axis), color=alt.value(alt.ExprRef(ACCENT)))
            )
        panels.append(alt.layer(*layers).properties(width=760, height=170))
    return finished(alt.vconcat(*panels, spacing=8).add_params(*theme_colours()))


def gate_histograms(units: Sequence[str], operations: Sequence[str]) -> dict[str, Any]:
    """Histograms of the gate, a column per unit and a row per operation, solved runs apart."""
    bars = (
        alt.Chart()
        .mark_bar()
        .encode(
            x=alt.X("gate:Q", bin=alt.Bin(extent=[0, 1], step=0.04), title="gate: 0 multiplies, 1 adds"),
            y=alt.Y("count()", title="runs"),
            color=alt.Color("outcome:N", title=None, legend=LEGEND, sort=["solved", "not solved"]),
            tooltip=[
                alt.Tooltip("gate:Q", bin=alt.Bin(extent=[0, 1], step=0.04)),
                alt.Tooltip("outcome:N"),
                alt.Tooltip("count()", title="runs"),
            ],
        )
        .transform_filter("isValid(datum.gate)")
        .properties(width=230, height=TALL)
    )
    return _grid(bars, row=("operation", operations), column=("unit", units))


def confusions(units: Sequence[str]) -> dict[str, Any]:
    """What digits are taken for, a panel per unit."""
    cells = (
        alt.Chart()
        .mark_rect()
        .encode(
            x=alt.X("taken:O", title="read as", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("digit:O", title="digit"),
            color=alt.Color("share:Q", scale=alt.Scale(domain=[0, 1]), title="share"),
            tooltip=["unit:N", "digit:O", alt.Tooltip("taken:O", title="read as"),
                     alt.Tooltip("share:Q", format=".2f")],
        )
        .properties(width=190, height=190)
    )  # fmt: skip
    return _facets(cells, alt.Facet("unit:N", title=None, sort=list(units)), columns=4)


def weight_ways(units: Sequence[str]) -> dict[str, Any]:
    """The way of two weights during training, a panel per unit, a line per seed."""
    axis = alt.Scale(zero=False)
    base = alt.Chart().encode(
        x=alt.X("first:Q", title="first weight", scale=axis),
        y=alt.Y("second:Q", title="second weight", scale=axis),
        detail="seed:N",
    )
    lines = base.mark_line(strokeWidth=1, opacity=0.6, aria=False).encode(order="iteration:Q")
    ends = (
        base.mark_point(filled=True, size=70, opacity=1)
        .encode(
            color=alt.Color("end:N", title=None, legend=LEGEND, sort=["start", "end"]),
            shape=alt.Shape("end:N", legend=None, sort=["start", "end"]),
            tooltip=["unit:N", "seed:N", "iteration:Q",
                     alt.Tooltip("first:Q", format=".3f"), alt.Tooltip("second:Q", format=".3f")],
        )
        .transform_filter("datum.end")
    )  # fmt: skip
    panel = alt.layer(lines, ends).properties(width=190, height=190)
    return _facets(panel, alt.Facet("unit:N", title=None, sort=list(units)), columns=4)


def surfaces(panels: Sequence[str], operations: Sequence[str]) -> dict[str, Any]:
    """Outputs over a square, a row per operation; ranges of training and test as frames."""
    x, y = (alt.Scale(domain=[-6, 6], nice=False) for _ in range(2))
    cells = (
        alt.Chart()
        .mark_rect(aria=False)
        .encode(
            x=alt.X("x:Q", title="x₁", scale=x), x2="x2:Q",
            y=alt.Y("y:Q", title="x₂", scale=y), y2="y2:Q",
            color=alt.Color("shade:Q", legend=None,
                            scale=alt.Scale(scheme="blueorange", domain=[-1, 1], clamp=True)),
            tooltip=["panel:N", alt.Tooltip("x1:Q", title="x₁", format=".2f"),
                     alt.Tooltip("y1:Q", title="x₂", format=".2f"),
                     alt.Tooltip("value:Q", format=".3~g")],
        )
        .transform_filter("datum.kind === 'output'")
    )  # fmt: skip
    frames = (
        alt.Chart()
        .mark_rect(filled=False, strokeWidth=2, aria=False)
        .encode(
            x=alt.X("x:Q", scale=x), x2="x2:Q", y=alt.Y("y:Q", scale=y), y2="y2:Q",
            stroke=alt.Stroke("kind:N", title="square of", legend=LEGEND,
                              scale=alt.Scale(domain=["training", "test"])),
        )
        .transform_filter("datum.kind === 'training' || datum.kind === 'test'")
    )  # fmt: skip
    panel = alt.layer(cells, frames).properties(width=190, height=190)
    return _grid(panel, row=("operation", operations), column=("panel", panels))


def _by_legend() -> Any:
    return alt.selection_point(fields=["unit"], bind="legend", name="chosen")


def _unit(chosen: Any) -> dict[str, Any]:
    return {
        "color": alt.Color("unit:N", title=None, legend=LEGEND),
        "opacity": alt.condition(chosen, alt.value(1), alt.value(0.06)),
    }


def _points(base: Any, y: Any, told: Sequence[str]) -> Any:
    return base.mark_point(filled=True, size=42).encode(
        y=y,
        shape=unit_shape(),
        tooltip=[alt.Tooltip(f"{name}:N") for name in told],
        description=alt.Description("said:N"),
    )


def _facets(panel: Any, facet: Any, columns: int) -> dict[str, Any]:
    chart = panel.facet(facet=facet, columns=columns, data=alt.NamedData("rows"))
    return finished(chart.add_params(*theme_colours()))


def _grid(panel: Any, row: tuple[str, Sequence[str]], column: tuple[str, Sequence[str]]) -> dict[str, Any]:
    chart = panel.facet(
        row=alt.Row(f"{row[0]}:N", title=None, sort=list(row[1])),
        column=alt.Column(f"{column[0]}:N", title=None, sort=list(column[1])),
        data=alt.NamedData("rows"),
    )
    return finished(chart.add_params(*theme_colours()))
