"""Downloads, from a mirror of our own."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from nalm.data.download import DownloadError, download

CONTENT = bytes(range(256)) * 40


class Mirror(BaseHTTPRequestHandler):
    """`/good` can resume, `/whole` cannot, `/broken` hangs up half-way."""

    asked: ClassVar[list[str | None]] = []

    def do_GET(self) -> None:
        asked = self.headers.get("Range")
        self.asked.append(asked)
        if self.path.startswith("/missing"):
            self.send_error(404)
            return
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked else 0
        if start >= len(CONTENT):
            self.send_error(416)
            return
        resumes = start > 0 and not self.path.startswith("/whole")
        body = CONTENT[start:] if resumes else CONTENT
        self.send_response(206 if resumes else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if self.path.startswith("/broken") else body)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def mirror() -> Iterator[str]:
    Mirror.asked = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Mirror)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_the_next_mirror_goes_on_where_a_broken_one_stopped(mirror: str, tmp_path: Path) -> None:
    target = tmp_path / "new" / "file"
    seen: list[tuple[int, int]] = []
    mirrors = (f"{mirror}/missing", f"{mirror}/broken", f"{mirror}/good")
    download(mirrors, "file", target, progress=lambda done, whole: seen.append((done, whole)))
    assert target.read_bytes() == CONTENT
    assert Mirror.asked == [None, None, f"bytes={len(CONTENT) // 2}-"]
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert list(target.parent.iterdir()) == [target]


def test_a_later_call_resumes_too(mirror: str, tmp_path: Path) -> None:
    target = tmp_path / "file"
    with pytest.raises(DownloadError, match=r"no mirror gave file .*broke after 5120 of 10240 bytes"):
        download((f"{mirror}/broken",), "file", target)
    assert not target.exists()
    download((f"{mirror}/good",), "file", target)
    assert target.read_bytes() == CONTENT
    assert Mirror.asked[-1] == "bytes=5120-"


@pytest.mark.parametrize("left", [CONTENT[:100], CONTENT, CONTENT + b"more"])
def test_a_mirror_that_cannot_resume_sends_everything(mirror: str, tmp_path: Path, left: bytes) -> None:
    target = tmp_path / "file"
    target.with_name("file.part").write_bytes(left)
    download((f"{mirror}/whole",), "file", target)
    assert target.read_bytes() == CONTENT


def test_a_dead_host_is_named(tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match=r"http://127\.0\.0\.1:9/file: .*refused"):
        download(("http://127.0.0.1:9",), "file", tmp_path / "file")
