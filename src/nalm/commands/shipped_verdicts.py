"""What the shipped runs say about every claim, shipped with them.

Judging the whole record takes some 20 s, so `nalm record pages` keeps what came of it in the package. It is
read only while it is up to date: it carries a hash of all that decides verdicts, the runs, the published
numbers, the claims and their rules.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

from nalm.commands.remembered import PACKAGE

FILE = PACKAGE / "record" / "verdicts.json.gz"
DECIDING = ("measuring/*.py", "studies/**/*.py", "studies/data/*", "record/data/**/*.parquet")
"""Files of the package that decide verdicts, as patterns."""


def deciding_state(package: Path = PACKAGE) -> str:
    """A hash of the content of all files that decide verdicts; the same wherever they are installed."""
    found = hashlib.sha256()
    for path in sorted({path for pattern in DECIDING for path in package.glob(pattern) if path.is_file()}):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        found.update(f"{path.relative_to(package).as_posix()}:{content}\n".encode())
    return found.hexdigest()


def write_verdicts(judged: dict[str, Any], file: Path = FILE) -> Path:
    """Keep what the shipped runs say, as `nalm claims` computes it."""
    text = json.dumps({"state": deciding_state(), **judged}, ensure_ascii=False, default=str)
    # Without the time of writing: the same verdicts are the same file.
    file.write_bytes(gzip.compress(text.encode(), mtime=0))
    return file


def shipped_verdicts(file: Path = FILE) -> dict[str, Any] | None:
    """What the shipped runs say; `None` if it is not there or of other runs or rules than these."""
    try:
        judged: dict[str, Any] = json.loads(gzip.decompress(file.read_bytes()))
    except (OSError, EOFError, ValueError):
        return None
    return judged if judged.pop("state", None) == deciding_state() else None
