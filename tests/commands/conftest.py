"""Training in seconds: uncompiled, and judged on few samples."""

from collections.abc import Iterator

import pytest

from nalm.tasks import arithmetic
from nalm.training import engine, program


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    engine.program.cache_clear()
    arithmetic.evaluation_inputs.cache_clear()
    monkeypatch.setattr(program, "compiler", lambda: None)
    monkeypatch.setattr(arithmetic, "EVALUATION_SIZE", 100)
    yield
    engine.program.cache_clear()
    arithmetic.evaluation_inputs.cache_clear()
