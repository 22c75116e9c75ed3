"""Notebooks become pages."""

import base64
from collections.abc import Callable
from types import ModuleType


def test_cells_outputs_figures_and_links(extension: Callable[[str], ModuleType]) -> None:
    pixels = base64.b64encode(b"pixels").decode()
    cells = [
        {
            "cell_type": "markdown",
            "source": ["# T\n", "[s](https://nalm.readthedocs.io/en/latest/solver/#noise)"],
        },
        {
            "cell_type": "code",
            "source": "print(1)",
            "outputs": [
                {"output_type": "stream", "text": "1\n"},
                {"output_type": "display_data", "data": {"image/png": pixels, "text/plain": "<Figure>"}},
                {"output_type": "execute_result", "data": {"text/plain": ["2"]}},
            ],
        },
    ]
    text, figures = extension("notebooks").page({"cells": cells}, "name")
    assert figures == {"name-1.png": b"pixels"}
    assert text.startswith("# T\n[s](../solver.md#noise)\n\n```python\nprint(1)\n```\n\n```text\n1\n```\n")
    assert "](name-1.png)" in text
    assert "```text\n2\n```" in text
    assert "](name.ipynb)" in text
