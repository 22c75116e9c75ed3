"""A folder of pages: templates in, HTML, scripts and style out. Whatever comes from a store is text.

A page opened from the disk may not fetch files, but it may load scripts: data stand in JSON inside the page,
or in a script of their own that hands them over.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterable
from importlib import resources
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

ASSETS = resources.files("nalm.report.site") / "assets"
EMBED = "(() => {{\n{bundle}\n}})();\n"
DIGITS = 5
"""Significant digits of numbers on pages."""
POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file: data:; "
    "base-uri 'none'; form-action 'none'"
)
"""No page may load anything but its own files, and none may ask anybody for anything. `file:` is what
browsers take `'self'` for, or do not, when a page is opened from the disk."""


class MissingPackagesError(ImportError):
    """The packages the site is made with are not installed."""

    def __init__(self) -> None:
        super().__init__("the site needs more packages: pip install 'nalm[report]'")


class Folder:
    """Where a site is written.

    Args:
        path: created if it does not exist; files of the same names are replaced.
        navigation: (title, page) pairs of the links on every page.
    """

    def __init__(self, path: Path, navigation: list[tuple[str, str]]) -> None:
        self.path = path
        self.navigation = navigation
        self.written: list[str] = []
        self._made: set[Path] = set()

    def page(self, name: str, template: str, **context: Any) -> None:
        """Write a page; templates escape all they are given, but what is `Markup` already."""
        root = "../" * name.count("/")
        text = (
            _templates()
            .get_template(template)
            .render(
                root=root,
                here=name,
                policy=POLICY,
                navigation=self.navigation,
                version=version("nalm"),
                **context,
            )
        )
        self._write(name, text)

    def data(self, name: str, value: Any) -> None:
        """Write data as a script: `nalm.receive(value)`."""
        self._write(name, f"nalm.receive({encoded(value)});\n")

    def assets(self) -> None:
        """Write scripts and style, the charting library among them."""
        for asset in ASSETS.iterdir():
            if asset.name.endswith((".js", ".css")):
                self._write(f"assets/{asset.name}", asset.read_text(encoding="utf-8"))
        self._write("assets/vega.js", EMBED.format(bundle=charting_library()))

    def _write(self, name: str, text: str) -> None:
        path = self.path / name
        if path.parent not in self._made:  # thousands of files lie in a few folders
            path.parent.mkdir(parents=True, exist_ok=True)
            self._made.add(path.parent)
        path.write_text(text, encoding="utf-8")
        self.written.append(name)


@functools.cache
def charting_library() -> str:
    """Vega, Vega-Lite and vega-embed as one script."""
    try:
        import vl_convert
    except ImportError as error:
        raise MissingPackagesError from error
    return str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))


@functools.cache
def _templates() -> Any:
    try:
        import jinja2
    except ImportError as error:
        raise MissingPackagesError from error
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("nalm.report.site"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["json"] = _json_block
    environment.filters["numbers"] = _numbers
    return environment


def _numbers(values: Iterable[float]) -> str:
    """Numbers without needless digits, with a minus sign."""
    return ", ".join(f"{value:g}".replace("-", "−") for value in values)


def _json_block(value: Any) -> Any:
    from markupsafe import Markup

    return Markup(encoded(value))  # nothing in it can end a script or begin a comment


def encoded(value: Any) -> str:
    """JSON that may stand inside a script: no characters that mean something to HTML, and no NaN.

    Example:
        >>> encoded({"name": "</script>", "error": float("nan"), "success": 1 / 3})
        '{"name":"\\\\u003c/script\\\\u003e","error":null,"success":0.33333}'
    """
    text = json.dumps(plain(value), separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def plain(value: Any) -> Any:
    """Lists, strings and rounded numbers; what is not finite is `None`."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, str) or value is None:
        return value
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        number = float(value)
        return short(number) if math.isfinite(number) else None
    return [plain(item) for item in value]


def short(number: float) -> float | int:
    """A number in few digits, as an integer where it is one.

    Example:
        >>> short(2 / 3), short(21000.0), short(1.23456789e-12)
        (0.66667, 21000, 1.2346e-12)
    """
    rounded = float(f"{number:.{DIGITS}g}")
    return int(rounded) if rounded == int(rounded) and abs(rounded) < 1e15 else rounded
