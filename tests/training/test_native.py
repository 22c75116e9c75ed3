import warnings

import pytest

from nalm.training import native


@pytest.fixture(autouse=True)
def _forget():
    native.compiler.cache_clear()
    native.library.cache_clear()
    yield
    native.compiler.cache_clear()
    native.library.cache_clear()


def test_without_a_compiler_it_says_once_what_that_costs_and_how_to_get_one(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CXX", raising=False)
    with pytest.warns(RuntimeWarning, match=r"slower.*install g\+\+ or clang"):
        assert native.compiler() is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert native.compiler() is None
        assert native.library() is None


def test_the_library_is_built_once_and_found_again(monkeypatch, tmp_path):
    if native.compiler() is None:
        pytest.skip("needs a C++ compiler")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert native.library() is not None
    (built,) = (tmp_path / "nalm").iterdir()
    native.library.cache_clear()
    monkeypatch.setattr(native, "_build", lambda *arguments: pytest.fail("built twice"))
    assert native.library() is not None
    assert built.exists()


def test_a_cache_that_cannot_be_written_costs_speed_only(monkeypatch, tmp_path):
    if native.compiler() is None:
        pytest.skip("needs a C++ compiler")
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    with pytest.warns(RuntimeWarning, match="could not build"):
        assert native.library() is None
