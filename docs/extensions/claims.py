"""Give every published claim an anchor: `results/nau-nmu-claims/#001-t2-nmu-mul`."""

import re
from typing import Any

CLAIM = re.compile(r"(<td>|<li>)<code>((?:\d{3}|sn)-[\w.+-]+)</code>(?=</td>| \()")


def on_page_content(html: str, **kwargs: Any) -> str:
    """Mkdocs calls this with every page's HTML; claims are the first thing in a row of a table or list."""
    return CLAIM.sub(r'\1<a class="claim" id="\2" href="#\2"><code>\2</code></a>', html)
