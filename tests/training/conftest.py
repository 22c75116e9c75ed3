import pytest

from nalm.training import execution


@pytest.fixture
def eager(monkeypatch):
    """Train without compiling: slow per iteration, but for a handful of them much quicker."""
    execution._kept.clear()
    monkeypatch.setattr(execution, "compiler", lambda: None)
    yield
    execution._kept.clear()
