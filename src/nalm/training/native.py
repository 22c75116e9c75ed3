"""The compiler the engine uses, and the small C library built with it."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
import warnings
from importlib import resources
from pathlib import Path

import torch

COMPILERS = ("c++", "g++", "clang++")
# Products are rounded before they are added, as torch does it; sums may be taken in vector lanes.
FLAGS = ("-O3", "-march=native", "-ffp-contract=off", "-fopenmp-simd", "-shared", "-fPIC", "-x", "c")


@functools.cache
def compiler() -> str | None:
    """The C++ compiler torch.compile would use, or `None`; says once what its absence costs."""
    found = shutil.which(os.environ.get("CXX", "")) or next(filter(None, map(shutil.which, COMPILERS)), None)
    if found is None:
        warnings.warn(
            "no C++ compiler found (looked for $CXX, c++, g++, clang++): training runs uncompiled, "
            "some hundred times slower for small units; install g++ or clang to speed it up",
            RuntimeWarning,
            stacklevel=2,
        )
    return found


@functools.cache
def library() -> ctypes.CDLL | None:
    """The compiled `kernels.c`, built on first use and kept in the user's cache, or `None`."""
    command = compiler()
    if command is None:
        return None
    source = resources.files("nalm.training").joinpath("kernels.c").read_bytes()
    capability = torch.backends.cpu.get_cpu_capability()
    key = hashlib.sha256(source + repr((command, FLAGS, capability)).encode()).hexdigest()[:16]
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    target = root / "nalm" / f"kernels-{key}.so"
    try:
        if not target.exists():
            _build(command, source, target)
        built = ctypes.CDLL(str(target))
    except (OSError, subprocess.CalledProcessError) as error:
        message = f"could not build {target} ({error}): training is slower"
        warnings.warn(message, RuntimeWarning, stacklevel=2)
        return None
    seeds = (ctypes.c_void_p, ctypes.c_int64, ctypes.c_uint32, ctypes.c_uint32)
    built.nalm_uniforms.argtypes = (*seeds, *(ctypes.c_int64,) * 3, ctypes.c_void_p)
    built.nalm_samples.argtypes = (*seeds, *(ctypes.c_int64,) * 4, *(ctypes.c_void_p,) * 6)
    sums = (*(ctypes.c_int64,) * 4, *(ctypes.c_void_p,) * 3)
    built.nalm_weighted_sums.argtypes = built.nalm_weight_gradients.argtypes = sums
    for function in (
        built.nalm_uniforms,
        built.nalm_samples,
        built.nalm_weighted_sums,
        built.nalm_weight_gradients,
    ):
        function.restype = None
    return built


def _build(command: str, source: bytes, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        built = Path(folder) / target.name
        arguments = [command, *FLAGS, "-", "-o", str(built)]
        subprocess.run(arguments, input=source, check=True, capture_output=True)
        # A rename is atomic: a second process either sees the whole library or none.
        built.replace(target)
