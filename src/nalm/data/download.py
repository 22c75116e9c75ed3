"""Files from the web: several mirrors, broken downloads resumed, nothing believed that does not check out."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from http.client import HTTPException
from pathlib import Path

BLOCK = 2**18
"""Bytes read at once."""
TIMEOUT = 30.0
"""Seconds without a byte after which a mirror counts as dead."""

Progress = Callable[[int, int], None]
"""Called with the bytes there are and the bytes there will be, 0 if the mirror does not say."""


class DownloadError(OSError):
    """No mirror gave the file; the message says what each of them answered."""


def download(
    mirrors: Sequence[str], name: str, target: Path, *, progress: Progress = lambda done, whole: None
) -> Path:
    """Fetch a file from the first mirror that gives all of it.

    What arrived stays beside the target as `.part` when a mirror fails, and the next one goes on from there.

    Args:
        mirrors: addresses of folders that hold the file.
        name: of the file in them.
        target: where to put it; complete when it exists.
        progress: called after every block.
    """
    part = target.with_name(f"{target.name}.part")
    target.parent.mkdir(parents=True, exist_ok=True)
    answers = []
    for mirror in mirrors:
        address = f"{mirror.rstrip('/')}/{name}"
        try:
            _fetch(address, part, progress)
        except (OSError, HTTPException) as error:
            answers.append(f"{address}: {getattr(error, 'reason', None) or error or type(error).__name__}")
            continue
        part.replace(target)
        return target
    raise DownloadError(f"no mirror gave {name} ({'; '.join(answers)})")


def _fetch(address: str, part: Path, progress: Progress) -> None:
    """Append what is missing to the part; a mirror that cannot resume sends everything again."""
    have = part.stat().st_size if part.is_file() else 0
    request = urllib.request.Request(address, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        answer = urllib.request.urlopen(request, timeout=TIMEOUT)
    except urllib.error.HTTPError as error:
        if error.code != 416:  # nothing is missing, or the part is longer than the file
            raise
        part.unlink()
        _fetch(address, part, progress)
        return
    with answer:
        resumed = answer.status == 206
        done = have if resumed else 0
        length = int(answer.headers.get("Content-Length") or 0)
        whole = done + length if length else 0
        with part.open("ab" if resumed else "wb") as file:
            while block := answer.read(BLOCK):
                file.write(block)
                done += len(block)
                progress(done, whole)
    if done < whole:
        raise DownloadError(f"the connection broke after {done} of {whole} bytes")
