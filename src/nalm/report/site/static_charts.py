"""Charts as PNG and PDF, without a browser."""

from __future__ import annotations

import copy
import hashlib
import json
from importlib.metadata import version
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


def with_units(spec: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A chart whose colours and shapes name the same units in the same order: then they share a legend."""
    units = list(dict.fromkeys(row["unit"] for row in rows if "unit" in row))
    return _filled(spec, units) if units else spec


def without_empty_panels(spec: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Panels above each other that have something to show; the last one has the axis below."""
    if "vconcat" not in spec:
        return spec
    panels = copy.deepcopy(spec["vconcat"])
    fields = [{part["encoding"]["y"]["field"] for part in panel["layer"]} for panel in panels]
    filled = [
        panel
        for panel, names in zip(panels, fields, strict=True)
        if any(row.get(name) is not None and row[name] == row[name] for row in rows for name in names)
    ]
    for part in filled[-1]["layer"] if filled else ():
        part["encoding"]["x"]["axis"] = panels[-1]["layer"][0]["encoding"]["x"]["axis"]
    return spec | {"vconcat": filled}


def _filled(part: Any, units: list[str]) -> Any:
    if isinstance(part, list):
        return [_filled(item, units) for item in part]
    if not isinstance(part, dict):
        return part
    found = {name: _filled(item, units) for name, item in part.items()}
    for channel in ("color", "shape"):
        drawn = found.get(channel)
        if isinstance(drawn, dict) and drawn.get("field") == "unit":
            found[channel] = drawn | {"scale": (drawn.get("scale") or {}) | {"domain": units}}
    return found


def save(path: Path, spec: dict[str, Any], rows: list[dict[str, Any]], title: list[str]) -> list[Path]:
    """Write a chart with its rows as PNG and PDF beside each other.

    Drawing takes a fifth of a second: files of an earlier site that show the same stay as they are.
    """
    try:
        import vl_convert
    except ImportError as error:
        raise MissingPackagesError from error
    whole = with_units(without_empty_panels(spec, rows), rows) | {
        "datasets": {"rows": plain(rows)},
        "title": {"text": title, "anchor": "start"},
    }
    png, pdf, drawn = (path.with_name(f"{path.name}.{suffix}") for suffix in ("png", "pdf", "drawn"))
    shown = hashlib.sha256(json.dumps([version("vl-convert-python"), CONFIG, whole]).encode()).hexdigest()
    if png.exists() and pdf.exists() and drawn.exists() and drawn.read_text() == shown:
        return [png, pdf]
    path.parent.mkdir(parents=True, exist_ok=True)
    drawn.unlink(missing_ok=True)  # until both files are there
    vega = vl_convert.vegalite_to_vega(whole, config=CONFIG)
    svg = vl_convert.vega_to_svg(vega)  # once for both
    png.write_bytes(vl_convert.svg_to_png(svg, scale=1.5))
    pdf.write_bytes(vl_convert.svg_to_pdf(svg))
    drawn.write_text(shown)
    return [png, pdf]
