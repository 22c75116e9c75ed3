"""Last pass: C becomes a shared library, kept in the user's cache under a name made of its content."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import shutil
import stat
import subprocess
import tempfile
import warnings
from importlib import resources
from pathlib import Path

import torch

from nalm.compiler.errors import NoCompiler
from nalm.compiler.lanes import LANES

COMPILERS = ("cc", "gcc", "clang", "c++", "g++", "clang++")
AVX2 = ("-mavx2", "-mfma")
CAPABILITIES = {
    "AVX2": AVX2,
    # GCC would split vectors of sixteen in halves otherwise.
    "AVX512": (*AVX2, *(f"-mavx512{part}" for part in ("f", "dq", "bw", "vl")), "-mprefer-vector-width=512"),
}
"""Flags by what the processor can do, as PyTorch names it."""
FLAGS = (
    "-std=gnu11",
    f"-DLANES={LANES}",
    "-ffp-contract=off",  # products are rounded before they are added, whatever the optimisation
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fno-strict-aliasing",
    "-fno-semantic-interposition",
    "-shared",
    "-fPIC",
    "-w",
)
OPTIMISED, LARGE = ("-O2", "-fschedule-insns"), ("-O1",)
"""How much the compiler may do for a function, and for one that would take it long."""
PRESSURE = "-fsched-pressure"
"""GCC's alone: units run 3 to 8 % faster if its order of instructions spares registers."""
PAIRS = "--param=max-combine-insns=2"
"""GCC's alone: a large function with AVX-512 takes half the time if it does not look for more to combine."""
SELDOM = ("-Og",)
"""The same for one that is called once in a thousand iterations: optimising it takes longer than it runs."""
MANY_LINES = 1200
"""Lines of C from which a function is large."""


@functools.cache
def compiler() -> str | None:
    """The C compiler: `$CC`, `$CXX`, or the first of the usual ones that works; `None` without one."""
    wanted = [os.environ.get(name, "") for name in ("CC", "CXX")]
    installed = filter(None, map(shutil.which, filter(None, [*wanted, *COMPILERS])))
    return next(filter(_works, dict.fromkeys(installed)), None)


def _works(command: str) -> bool:
    """Whether it makes the library that all loops share, which is needed anyway."""
    try:
        _shared(command)
    except NoCompiler as error:
        warnings.warn(f"{error}; it is not used", RuntimeWarning, stacklevel=2)
        return False
    return True


class Building:
    """The library of a C source that includes nothing but `lanes.h`, which is put before it.

    The compiler is started at once, unless the library is in the cache, and waited for by `library`.
    """

    def __init__(
        self, source: str, optimise: tuple[str, ...] | None = None, command: str | None = None
    ) -> None:
        self._command = command = command or compiler()
        if command is None:
            raise NoCompiler("no C compiler found (looked for $CC, $CXX, " + ", ".join(COMPILERS) + ")")
        if optimise is None:
            large = source.count("\n") > MANY_LINES
            level, further = (LARGE, PAIRS) if large else (OPTIMISED, PRESSURE)
            optimise = (*level, *_known(command, further))
        text = header() + source
        flags = (*optimise, *FLAGS, *CAPABILITIES.get(torch.backends.cpu.get_cpu_capability(), ()))
        key = hashlib.sha256(repr((text, flags, _identity(command))).encode()).hexdigest()[:32]
        self._target = cache_directory() / f"{key}.so"
        self._process: subprocess.Popen[bytes] | None = None
        if not self._target.exists():
            self._folder = tempfile.TemporaryDirectory(dir=self._target.parent, ignore_cleanup_errors=True)
            (given := self._made.with_suffix(".c")).write_text(text)
            arguments = [command, *flags, str(given), "-o", str(self._made), "-lm"]
            try:
                self._process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            except OSError as error:
                raise NoCompiler(f"{command} cannot be started: {error.strerror}") from error

    @property
    def _made(self) -> Path:
        return Path(self._folder.name) / self._target.name

    def library(self) -> ctypes.CDLL:
        """Wait for the compiler and load what it made."""
        if self._process is not None:
            _, errors = self._process.communicate()
            if self._process.returncode:
                lines = errors.decode(errors="replace").strip().splitlines() or ["no message"]
                message = next((line for line in lines if "error" in line), lines[-1])
                raise NoCompiler(f"{self._command} failed: {message}")
            if not self._made.exists():
                raise NoCompiler(f"{self._command} failed: it says that all is well and has made nothing")
            # A rename is atomic: another process sees the whole library or none.
            self._made.replace(self._target)
            self._folder.cleanup()
            self._process = None
        return ctypes.CDLL(str(self._target))


@functools.cache
def _known(command: str, option: str) -> tuple[str, ...]:
    """The option, unless this compiler does not know it."""
    try:
        Building("", (option,), command).library()
    except NoCompiler:
        return ()
    return (option,)


def runtime() -> ctypes.CDLL:
    """The library that all loops share."""
    return _shared(compiler())


@functools.cache
def _shared(command: str | None) -> ctypes.CDLL:
    source = resources.files("nalm.compiler").joinpath("runtime.c").read_text()
    return Building(source, ("-O3",), command).library()


@functools.cache
def header() -> str:
    """The text of `lanes.h`."""
    return resources.files("nalm.compiler").joinpath("lanes.h").read_text()


@functools.cache
def _identity(command: str) -> tuple[str, int, int]:
    """A compiler's file: another version is another file."""
    path = os.path.realpath(command)
    status = os.stat(path)
    return path, status.st_size, int(status.st_mtime)


@functools.cache
def cache_directory() -> Path:
    """Where libraries are kept: `$XDG_CACHE_HOME/nalm` or `~/.cache/nalm`.

    Code is loaded from there, so nobody else may be able to write to it; otherwise a directory of this
    process's own is used, which is removed at its end.
    """
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    path = root / "nalm"
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        status = path.stat()
        if status.st_uid != os.getuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise PermissionError("others can write to it: run chmod go-w on it, or set XDG_CACHE_HOME")
        for parent in path.resolve().parents:  # whoever may rename the directory may put another in its place
            mode = parent.stat().st_mode
            if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
                raise PermissionError(f"others can write to {parent}")
        if not os.access(path, os.W_OK):
            raise PermissionError("it is not writable")
        return path
    except OSError as error:
        message = f"compiled code is not kept in {path} ({error}): it is compiled again by every process"
        warnings.warn(message, RuntimeWarning, stacklevel=2)
        return _private_directory()


def _private_directory() -> Path:
    keeper = tempfile.TemporaryDirectory(prefix="nalm-")
    _KEPT.append(keeper)
    return Path(keeper.name)


_KEPT: list[tempfile.TemporaryDirectory] = []
"""Directories that live as long as the process."""
