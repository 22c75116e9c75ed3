import pytest

from nalm.training import engine, program


@pytest.fixture
def eager(monkeypatch):
    """Train without compiling: slow per iteration, but for a handful of them much quicker."""
    engine.program.cache_clear()
    monkeypatch.setattr(program, "compiler", lambda: None)
    yield
    engine.program.cache_clear()
