"""Training in seconds: uncompiled, and judged on few samples."""

from collections.abc import Iterator

import pytest

from nalm.tasks import arithmetic
from nalm.training import execution


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    execution._kept.clear()
    monkeypatch.setattr(execution, "compiler", lambda: None)
    monkeypatch.setattr(arithmetic, "EVALUATION_SIZE", 100)
    yield
    execution._kept.clear()
