"""Show the notebooks of `examples/notebooks` as pages, with the outputs they were saved with."""

import base64
import json
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

NOTEBOOKS = Path(__file__).parents[2] / "examples" / "notebooks"
PAGE_OF_THE_SITE = re.compile(r"\(https://nalm\.readthedocs\.io/en/latest/([\w/-]+)/((?:#[\w-]+)?)\)")
"""Links of a notebook work wherever it was downloaded to; on the site they become links between pages."""
DOWNLOAD = "[Download this notebook]({name}.ipynb){{ .md-button }}"


def page(notebook: dict[str, Any], name: str) -> tuple[str, dict[str, bytes]]:
    """A notebook as Markdown, and its figures by file name."""
    figures: dict[str, bytes] = {}
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(PAGE_OF_THE_SITE.sub(r"(../\1.md\2)", source))
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "image/png" in data:
                figure = f"{name}-{len(figures) + 1}.png"
                figures[figure] = base64.b64decode(data["image/png"])
                parts.append(f"![What the cell above draws]({figure})")
            else:
                text = "".join(output.get("text") or data["text/plain"]).rstrip()
                parts.append(f"```text\n{text}\n```")
    return "\n\n".join([*parts, DOWNLOAD.format(name=name)]) + "\n", figures


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Mkdocs calls this once it has found its own pages."""
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        markdown, figures = page(json.loads(path.read_text()), path.stem)
        added = {f"{path.stem}.md": markdown, f"{path.stem}.ipynb": path.read_bytes(), **figures}
        for name, content in added.items():
            files.append(File.generated(config, f"notebooks/{name}", content=content))
    return files
