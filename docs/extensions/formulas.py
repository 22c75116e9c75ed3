"""Typeset the formulas of docstrings: plain text in the source, MathML on the site, without scripts."""

from typing import Any

import griffe

from nalm.report.site.typeset import BLOCK, EQUATION, mathml, tex

__all__ = ["BLOCK", "EQUATION", "TypesetFormulas", "mathml", "tex"]


class TypesetFormulas(griffe.Extension):
    """Replace the formulas in every docstring while the source is read."""

    def on_instance(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = BLOCK.sub(lambda m: mathml(m[0]) or m[0], obj.docstring.value)
