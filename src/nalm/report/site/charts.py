"""Charts as Vega-Lite, by Altair. Pages fill in rows, the order of units and the colours of the theme."""

from __future__ import annotations

from typing import Any

from nalm.report.site.folder import MissingPackagesError

try:
    import altair as alt
except ImportError as error:
    raise MissingPackagesError from error

from nalm.report.site.axes import LABEL, few_iterations, powers_of_ten

ROWS = "rows"
"""The name of the data every chart waits for."""
TURN = 0.71
"""Success above which white is read better on a cell of a heat map than black; the dark theme's is lower."""
SMALLEST = 1e-8
"""Sparsity errors below this are drawn at it: a logarithmic axis has no place for 0."""
INK, PAPER, ACCENT = "ink", "paper", "accent"
"""Parameters that the page sets to the colours of its theme."""
FIT = alt.AutoSizeParams(type="fit-x", contains="padding")
LAST = "sparsityDrawn"
SHAPES = ["circle", "square", "cross", "diamond", "triangle-up", "triangle-down", "triangle-left"]
"""One fewer than colours, so that units with the same colour have different shapes."""
LEGEND = alt.Legend(orient="bottom", columns=5, symbolOpacity=1)


def success_tooltip() -> list[Any]:
    """What every cell of a heat map says of itself."""
    return [
        alt.Tooltip("unit:N"),
        alt.Tooltip("column:N", title="on"),
        alt.Tooltip("told:N", title="success [95 %]"),
        alt.Tooltip("seeds:N"),
        alt.Tooltip("solved:N", title="solved at (median)"),
        alt.Tooltip("sparsity:N", title="sparsity error"),
        alt.Tooltip("was:N", title="published"),
        alt.Tooltip("difference:N"),
    ]


def heat_map(tooltip: list[Any] | None = None) -> dict[str, Any]:
    """Units × ranges, coloured and marked by success; `cursor` is the index of the cell that is outlined."""
    tooltip = tooltip or [*success_tooltip(), alt.Tooltip("spent:N", title="budget")]
    cursor = alt.param("cursor", value=-1)
    base = named().encode(
        x=alt.X(
            "column:N",
            title=None,
            axis=alt.Axis(orient="top", labelAngle=-40, labelLimit=150, ticks=False, domain=False),
        ),
        y=alt.Y("unit:N", title=None, axis=alt.Axis(labelLimit=190, ticks=False, domain=False)),
    )
    cells = base.mark_rect(cornerRadius=2, cursor="pointer").encode(
        color=alt.Color("success:Q", scale=alt.Scale(domain=[0, 1]), legend=None),
        tooltip=tooltip,
        stroke=alt.value(alt.ExprRef(PAPER)),
        strokeWidth=alt.value(1.5),
        description=alt.Description("said:N"),
    )
    numbers = base.mark_text(fontSize=10.5, cursor="pointer", aria=False).encode(
        text=alt.Text("shown:N"),
        color=alt.condition(
            "datum.success > turn", alt.value(alt.ExprRef("high")), alt.value(alt.ExprRef("low"))
        ),
        tooltip=tooltip,
    )
    outline = (
        base.mark_rect(filled=False, strokeWidth=3, cornerRadius=2, aria=False)
        .encode(stroke=alt.value(alt.ExprRef(ACCENT)))
        .transform_filter("datum.index === cursor")
    )
    chart = alt.layer(cells, numbers, outline).add_params(
        cursor,
        alt.param("turn", value=TURN),
        alt.param("low", value="black"),
        alt.param("high", value="white"),
        *theme_colours(),
    )
    return finished(chart.properties(width="container", height=alt.Step(24), autosize=FIT))


def three_panels() -> dict[str, Any]:
    """The papers' figure: success, solved-at and sparsity error by range, a colour and shape per unit.

    Units are chosen in the legend; the others fade.
    """
    chosen = alt.selection_point(fields=["unit"], bind="legend", name="chosen")
    panels = [
        _panel("success", "success rate", alt.Scale(domain=[0, 1]), chosen, first=True),
        _panel("solvedAtMean", "solved at (iteration)", alt.Scale(zero=True), chosen),
        _panel("sparsityDrawn", "sparsity error", alt.Scale(type="log"), chosen),
    ]
    chart = alt.vconcat(*panels, spacing=8).add_params(*theme_colours())
    return finished(chart)


def _panel(column: str, title: str, scale: Any, chosen: Any, *, first: bool = False) -> Any:
    base = named().encode(
        x=alt.X(
            "column:N",
            title=None,
            axis=alt.Axis(labelAngle=-30, grid=False, bandPosition=0.5) if column == LAST else None,
        ),
        xOffset=alt.XOffset("unit:N"),
        color=alt.Color("unit:N", title=None, legend=LEGEND),
        opacity=alt.condition(chosen, alt.value(1), alt.value(0.06)),
    )
    y: dict[str, Any] = {"title": title, "scale": scale}
    if column == LAST:
        y["axis"] = powers_of_ten(5)
    ends = base.mark_rule(clip=True, aria=False, strokeWidth=1.5).encode(
        y=alt.Y(f"{column}Low:Q", **y), y2=alt.Y2(f"{column}High:Q")
    )
    points = base.mark_point(filled=True, size=42).encode(
        y=alt.Y(f"{column}:Q", **y),
        shape=unit_shape(),
        tooltip=success_tooltip(),
        description=alt.Description("said:N"),
    )
    if first:
        points = points.add_params(chosen)
    return alt.layer(ends, points).properties(width=760, height=170)


def leaderboard() -> dict[str, Any]:
    """Success with its interval, a line per unit, best first; the user's own in another colour."""
    base = named().encode(
        y=alt.Y("unit:N", title=None, axis=alt.Axis(labelLimit=220, ticks=False, grid=True))
    )
    colour = alt.condition("datum.own", alt.value(alt.ExprRef(ACCENT)), alt.value(alt.ExprRef("main")))
    tooltip = [
        alt.Tooltip("rank:Q"), alt.Tooltip("unit:N"), alt.Tooltip("told:N", title="success [95 %]"),
        alt.Tooltip("solvedRanges:N", title="ranges solved"), alt.Tooltip("successes:N"),
        alt.Tooltip("solved:N", title="solved at (median)"),
        alt.Tooltip("sparsity:N", title="sparsity error"),
    ]  # fmt: skip
    x: dict[str, Any] = {
        "title": "success over all ranges [95 %]",
        "scale": alt.Scale(domain=[0, 1]),
        "axis": alt.Axis(tickCount=5),
    }
    ends = base.mark_rule(strokeWidth=3, opacity=0.45, aria=False).encode(
        x=alt.X("low:Q", **x), x2="high:Q", color=colour
    )
    points = base.mark_point(filled=True, size=90, opacity=1).encode(
        x=alt.X("success:Q", **x), color=colour, tooltip=tooltip, description=alt.Description("said:N")
    )
    chart = alt.layer(ends, points).add_params(*theme_colours(), alt.param("main", value="#0072B2"))
    return finished(chart.properties(width="container", height=alt.Step(24), autosize=FIT))


def curves() -> dict[str, Any]:
    """A run's errors by iteration, on a logarithmic axis, with the threshold as a line."""
    x = alt.X("iteration:Q", title="iteration", scale=alt.Scale(zero=True), axis=few_iterations())
    y = alt.Y("value:Q", title=None, scale=alt.Scale(type="log"), axis=powers_of_ten(6))
    tooltip = [
        alt.Tooltip("curve:N"),
        alt.Tooltip("iteration:Q", title="iteration", format=","),
        alt.Tooltip("exact:N", title="value"),
    ]
    drawn = named().encode(
        x=x, y=y, color=alt.Color("curve:N", title=None, legend=alt.Legend(orient="top", columns=3))
    )
    lines = drawn.mark_line(aria=False)
    points = drawn.mark_point(filled=True, size=36).encode(
        shape=alt.Shape("curve:N", legend=None),
        tooltip=tooltip,
        description=alt.Description("said:N"),
    )
    limit = (
        alt.Chart(alt.NamedData("marks"))
        .mark_rule(strokeDash=[5, 4], strokeWidth=1.5)
        .encode(y=alt.Y("value:Q"), tooltip=[alt.Tooltip("curve:N"), alt.Tooltip("exact:N", title="value")])
    )
    chart = alt.layer(lines, points, limit).properties(width="container", height=300, autosize=FIT)
    return finished(chart.add_params(*theme_colours()))


def flow(layers: int, lanes: int) -> dict[str, Any]:
    """Operations as boxes from left to right, lines from what they read; data `nodes` and `edges`."""
    across = alt.Scale(domain=[-0.6, layers - 0.4])
    down = alt.Scale(domain=[-lanes / 2 - 0.2, lanes / 2 + 0.2])
    x, y = alt.X("x:Q", axis=None, scale=across), alt.Y("y:Q", axis=None, scale=down)
    lines = (
        alt.Chart(alt.NamedData("edges"))
        .mark_rule(strokeWidth=1.5, opacity=0.7, aria=False)
        .encode(x=x, y=y, x2="x2:Q", y2="y2:Q")
    )
    nodes = alt.Chart(alt.NamedData("nodes")).encode(x=x, y=y)
    kinds = ["input", "parameter", "operation", "output"]
    boxes = nodes.mark_rect(opacity=1, cornerRadius=7).encode(
        x=alt.X("left:Q", axis=None, scale=across),
        x2="right:Q",
        y=alt.Y("bottom:Q", axis=None, scale=down),
        y2="top:Q",
        fill=alt.value(alt.ExprRef(PAPER)),
        stroke=alt.Color(
            "kind:N", scale=alt.Scale(domain=kinds), title=None, legend=alt.Legend(orient="top")
        ),
        strokeWidth=alt.value(2),
        tooltip=[alt.Tooltip("label:N"), alt.Tooltip("kind:N")],
        description=alt.Description("label:N"),
    )
    names = nodes.mark_text(fontSize=11, aria=False, limit=98).encode(
        text="label:N",
        color=alt.value(alt.ExprRef(INK)),
        tooltip=[alt.Tooltip("label:N"), alt.Tooltip("kind:N")],
    )
    chart = alt.layer(lines, boxes, names).add_params(*theme_colours())
    return finished(chart.properties(width=max(layers * 104, 260), height=max(lanes * 46, 110)))


def landscape(parameter: str) -> dict[str, Any]:
    """The loss over two numbers of a parameter, on a logarithmic scale of colours; `ended` is a point."""
    few, tight = alt.Axis(tickCount=5, grid=False), alt.Scale(nice=False, zero=False)
    chart = (
        named()
        .mark_rect(aria=False)
        .encode(
            x=alt.X("firstBin:Q", title=f"{parameter}[0]", bin="binned", axis=few, scale=tight),
            x2="firstEnd:Q",
            y=alt.Y("secondBin:Q", title=f"{parameter}[1]", bin="binned", axis=few, scale=tight),
            y2="secondEnd:Q",
            color=alt.Color(
                "loss:Q", title="error", scale=alt.Scale(type="log", scheme="viridis", reverse=True),
                legend=alt.Legend(format=".0e", labelExpr=LABEL, orient="right", tickCount=5),
            ),
            tooltip=[
                alt.Tooltip("first:Q", title=f"{parameter}[0]", format=".3f"),
                alt.Tooltip("second:Q", title=f"{parameter}[1]", format=".3f"),
                alt.Tooltip("loss:Q", title="error", format=".2e"),
            ],
        )
    )  # fmt: skip
    ended = (
        alt.Chart(alt.NamedData("ended"))
        .mark_point(shape="cross", size=140, filled=True, opacity=1, stroke="white", fill="#d1220a")
        .encode(
            x=alt.X("first:Q", scale=tight),
            y=alt.Y("second:Q", scale=tight),
            description=alt.Description("said:N"),
        )
    )
    return finished(alt.layer(chart, ended).properties(width="container", height=300, autosize=FIT))


def errors_by_complexity() -> dict[str, Any]:
    """Formulas by complexity and error; the chosen one is filled."""
    chosen = alt.param("chosen", value=0)
    base = named().encode(
        x=alt.X(
            "complexity:Q",
            title="complexity of the formula",
            axis=alt.Axis(tickMinStep=1, tickCount=8, format="d"),
        ),
        y=alt.Y(
            "drawn:Q",
            title="error (root mean square)",
            scale=alt.Scale(type="log"),
            axis=powers_of_ten(6),
        ),
    )
    line = base.mark_line(opacity=0.5, aria=False)
    is_chosen = "datum.index === chosen"
    points = base.mark_point(size=160, cursor="pointer", opacity=1).encode(
        color=alt.condition(is_chosen, alt.value(alt.ExprRef(ACCENT)), alt.value(alt.ExprRef("main"))),
        fill=alt.condition(is_chosen, alt.value(alt.ExprRef(ACCENT)), alt.value(alt.ExprRef(PAPER))),
        tooltip=[
            alt.Tooltip("formula:N"),
            alt.Tooltip("complexity:Q"),
            alt.Tooltip("error:N"),
            alt.Tooltip("verdict:N"),
        ],
        description=alt.Description("said:N"),
    )
    chart = alt.layer(line, points).add_params(chosen, *theme_colours(), alt.param("main", value="#0072B2"))
    return finished(chart.properties(width="container", height=280, autosize=FIT))


def predicted_against_measured() -> dict[str, Any]:
    """A point per row of the table, on the diagonal where the formula is exact."""
    both = alt.Scale(zero=False, nice=False)
    points = _a_point_per_row(
        x=alt.X("predicted:Q", title="formula", scale=both),
        y=alt.Y("measured:Q", title="measured", scale=both),
    )
    diagonal = (
        alt.Chart(alt.NamedData("ends")).mark_line(strokeDash=[5, 4], aria=False).encode(
            x="end:Q", y="end:Q", color=alt.value(alt.ExprRef(ACCENT))
        )
    )  # fmt: skip
    chart = alt.layer(points, diagonal).add_params(*theme_colours(), alt.param("main", value="#0072B2"))
    return finished(chart.properties(width="container", height=280, autosize=FIT))


def residuals() -> dict[str, Any]:
    """What the formula leaves, by its value."""
    points = _a_point_per_row(
        x=alt.X("predicted:Q", title="formula", scale=alt.Scale(zero=False)),
        y=alt.Y("residual:Q", title="measured − formula", axis=alt.Axis(format=".3~g")),
    )
    zero = (
        alt.Chart(alt.InlineData([{"zero": 0}]))
        .mark_rule(strokeDash=[5, 4], aria=False)
        .encode(y="zero:Q", color=alt.value(alt.ExprRef(ACCENT)))
    )
    chart = alt.layer(points, zero).add_params(*theme_colours(), alt.param("main", value="#0072B2"))
    return finished(chart.properties(width="container", height=280, autosize=FIT))


def _a_point_per_row(x: alt.X, y: alt.Y) -> alt.Chart:
    """A point per row of the table, which says the row's numbers."""
    numbers = [alt.Tooltip(f"{name}:Q") for name in ("row", "predicted", "measured", "residual")]
    return (
        named()
        .mark_circle(size=30, opacity=0.55, aria=False)
        .encode(x=x, y=y, color=alt.value(alt.ExprRef("main")), tooltip=numbers)
    )


def unit_shape() -> alt.Shape:
    """A unit's shape, in the same legend as its colour."""
    return alt.Shape("unit:N", title=None, legend=LEGEND, scale=alt.Scale(range=SHAPES))


def named() -> alt.Chart:
    """A chart of the rows that the page fills in."""
    return alt.Chart(alt.NamedData(ROWS))


def theme_colours() -> list[alt.Parameter]:
    """Set by the page; these are for a white sheet, which PNG and PDF are."""
    return [
        alt.param(INK, value="#1b1f24"),
        alt.param(PAPER, value="#ffffff"),
        alt.param(ACCENT, value="#d55e00"),
    ]


def finished(chart: Any) -> dict[str, Any]:
    """A chart as Vega-Lite without settings of its own."""
    spec: dict[str, Any] = chart.to_dict(validate=True)
    spec.pop("config", None)  # the page has its own
    return spec
