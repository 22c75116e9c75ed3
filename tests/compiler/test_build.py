"""The C compiler, the cache of libraries, and what happens without them."""

import multiprocessing
from pathlib import Path

import pytest
import torch

from nalm.compiler import NoCompiler, build

SOURCE = "int seven(void) { return 7; }\n"


def seven() -> int:
    return build.Building(SOURCE).library().seven()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache directory."""
    build._known(build.compiler() or "", build.PRESSURE)  # the libraries that show what works go elsewhere
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    build.cache_directory.cache_clear()
    yield tmp_path / "nalm"
    build.cache_directory.cache_clear()


@pytest.fixture
def fresh_compiler():
    build.compiler.cache_clear()
    yield
    build.compiler.cache_clear()


def libraries(cache: Path) -> list[Path]:
    return list(cache.glob("*.so"))


def test_a_source_is_built_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert seven() == 7
    (library,) = libraries(cache)
    monkeypatch.setattr(build.subprocess, "Popen", None)
    assert seven() == 7
    assert libraries(cache) == [library]
    assert [p for p in cache.iterdir() if p != library] == []


def test_another_source_or_another_processor_is_another_library(cache: Path, monkeypatch) -> None:
    seven()
    build.Building(SOURCE.replace("7", "8")).library()
    assert len(libraries(cache)) == 2
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: "DEFAULT")
    seven()
    assert len(libraries(cache)) == 3


def _seven(start, results) -> None:
    start.wait()
    results.put(seven())


def test_two_processes_may_build_the_same(cache: Path) -> None:
    context = multiprocessing.get_context("fork")
    start, results = context.Barrier(2), context.Queue()
    running = [context.Process(target=_seven, args=(start, results)) for _ in range(2)]
    for process in running:
        process.start()
    assert [results.get(timeout=60) for _ in running] == [7, 7]
    for process in running:
        process.join()
    assert len(libraries(cache)) == 1


def test_a_directory_that_others_can_write_to_is_not_used(cache: Path) -> None:
    cache.mkdir()
    cache.chmod(0o777)
    with pytest.warns(RuntimeWarning, match="others can write to it"):
        assert seven() == 7
    assert libraries(cache) == []
    assert build.cache_directory() != cache


def test_a_directory_that_others_can_replace_is_not_used(cache: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    with pytest.warns(RuntimeWarning, match=f"others can write to {tmp_path}"):
        assert seven() == 7
    assert libraries(cache) == []
    build.cache_directory.cache_clear()
    tmp_path.chmod(0o1777)  # as /tmp is: nobody renames what is another's
    assert build.cache_directory() == cache


def test_what_the_compiler_says_is_passed_on(cache: Path) -> None:
    with pytest.raises(NoCompiler, match="error"):
        build.Building("this is not C\n").library()


def test_a_compiler_need_not_know_the_options_of_gcc(cache: Path, tmp_path: Path) -> None:
    unknown = f"*{build.PRESSURE}*|*{build.PAIRS}*"
    (other := tmp_path / "other").write_text(
        f'#!/bin/sh\ncase "$*" in {unknown}) exit 1;; esac\nexec {build.compiler()} "$@"\n'
    )
    other.chmod(0o755)
    for long in ("", "\n" * build.MANY_LINES):
        assert build.Building(SOURCE + long, command=str(other)).library().seven() == 7


def test_the_compiler_is_that_of_the_environment(fresh_compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "gcc")
    assert Path(build.compiler() or "").name == "gcc"


def test_a_compiler_that_does_not_work_is_named_and_passed_over(
    cache: Path, fresh_compiler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, script in (("fails", "#!/bin/sh\nexit 1\n"), ("does_nothing", "#!/bin/sh\n"), ("strange", "x")):
        (broken := tmp_path / name).write_text(script)
        broken.chmod(0o755)
        build.compiler.cache_clear()
        monkeypatch.setenv("CC", str(broken))
        with pytest.warns(RuntimeWarning, match=rf"{name} (failed|cannot be started): .*; it is not used"):
            assert Path(build.compiler() or "").name in build.COMPILERS
    assert seven() == 7


def test_no_compiler_is_an_answer(cache: Path, fresh_compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.delenv("CXX", raising=False)
    assert build.compiler() is None
    with pytest.raises(NoCompiler, match="no C compiler"):
        seven()


def test_results_do_not_depend_on_the_optimisation(compiled, cache: Path, monkeypatch) -> None:
    def function(given):
        x = given["x"]
        return {"y": (x.exp() * x.sin() + x / 3).tanh().mean(), "z": x @ x.mT}

    inputs = {"x": torch.randn(5, 30, 3, generator=torch.Generator().manual_seed(0))}
    expected = compiled(function, inputs)
    for level in ("-O0", "-O3"):
        monkeypatch.setattr(build, "OPTIMISED", (level,))
        found = compiled(function, inputs)
        assert all(torch.equal(found[name], value) for name, value in expected.items()), level
