"""Extensions of the documentation, which are no part of the package."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

EXTENSIONS = Path(__file__).parents[2] / "docs" / "extensions"


@pytest.fixture(scope="session")
def extension() -> Callable[[str], ModuleType]:
    """An extension by the name of its file."""

    def load(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(f"docs_{name}", EXTENSIONS / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load
