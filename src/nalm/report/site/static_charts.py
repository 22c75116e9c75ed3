"""Charts as PNG and PDF, without a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nalm.report.site.folder import MissingPackagesError, plain

COLOURS = ["#0072B2", "#C17D00", "#00805d", "#b6588d", "#3a8fc2", "#D55E00", "#3b434c", "#7a6bd0"]
CONFIG = {
    "background": "white",
    "view": {"stroke": None},
    "range": {"category": COLOURS},
    "font": "sans-serif",
}


def save(path: Path, spec: dict[str, Any], rows: list[dict[str, Any]], title: list[str]) -> list[Path]:
    """Write a chart with its rows as PNG and PDF beside each other."""
    try:
        import vl_convert
    except ImportError as error:
        raise MissingPackagesError from error
    whole = spec | {"datasets": {"rows": plain(rows)}, "title": {"text": title, "anchor": "start"}}
    vega = vl_convert.vegalite_to_vega(whole, config=CONFIG)
    path.parent.mkdir(parents=True, exist_ok=True)
    png, pdf = path.with_name(f"{path.name}.png"), path.with_name(f"{path.name}.pdf")
    svg = vl_convert.vega_to_svg(vega)  # once for both
    png.write_bytes(vl_convert.svg_to_png(svg, scale=1.5))
    pdf.write_bytes(vl_convert.svg_to_pdf(svg))
    return [png, pdf]
