"""MNIST (LeCun et al. 1998): 60,000 and 10,000 handwritten digits of 28 × 28 pixels."""

from __future__ import annotations

import functools
import gzip
import hashlib
import os
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nalm.data.download import Progress, download
from nalm.data.idx import read_idx

VARIABLE = "NALM_MNIST"
"""Environment variable with a folder to read instead of the cache: its files are taken as they are, so that a
sample or a look-alike data set can be used."""
MIRRORS = (
    "https://ossci-datasets.s3.amazonaws.com/mnist",
    "https://storage.googleapis.com/cvdf-datasets/mnist",
    "https://raw.githubusercontent.com/fgnt/mnist/master",
    "http://yann.lecun.com/exdb/mnist",
)
CHECKSUMS = {
    "train-images-idx3-ubyte": "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
    "train-labels-idx1-ubyte": "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
    "t10k-images-idx3-ubyte": "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
    "t10k-labels-idx1-ubyte": "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
}
"""SHA-256 of the unpacked files."""
PARTS = {"train": "train", "test": "t10k"}
FETCH_IT = "type `nalm data mnist` to download it, or `nalm data mnist --from FOLDER` if you have the files"


class Images(NamedTuple):
    """Pictures and what they show.

    Attributes:
        pixels: uint8, [samples, 28, 28].
        labels: uint8, [samples].
    """

    pixels: np.ndarray
    labels: np.ndarray


def cache_folder() -> Path:
    """Where verified files are kept: `$XDG_CACHE_HOME/nalm/mnist` or `~/.cache/nalm/mnist`."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "nalm" / "mnist"


def mnist_folder() -> Path:
    """Where the data are read from: the folder the environment variable names, or the cache."""
    return Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else cache_folder()


def load_mnist(part: str, folder: Path | None = None) -> Images:
    """The training or the test digits, in their published order.

    Args:
        part: `"train"` or `"test"`.
        folder: with the files, packed or not; by default the one of `$NALM_MNIST`, or the cache. Files in the
            cache are checked against their published checksums, those elsewhere are taken as they are.
    """
    if part not in PARTS:
        raise ValueError(f"MNIST has the parts {' and '.join(PARTS)}, not {part!r}")
    return _loaded(part, folder or mnist_folder())


@functools.lru_cache(maxsize=4)
def _loaded(part: str, folder: Path) -> Images:
    checked = folder == cache_folder()
    pixels, labels = (
        _array(folder, name, checked) for name in CHECKSUMS if name.startswith(f"{PARTS[part]}-")
    )
    if len(pixels) != len(labels):
        raise ValueError(f"{folder} holds {len(pixels)} pictures but {len(labels)} labels: {FETCH_IT}")
    return Images(pixels, labels)


def _array(folder: Path, name: str, checked: bool) -> np.ndarray:
    content = unpacked(folder, name)
    try:
        if checked and _checksum(content) != CHECKSUMS[name]:
            raise ValueError("its SHA-256 is wrong")
        return read_idx(content)
    except ValueError as error:
        raise ValueError(f"{folder / name} is damaged ({error}): {FETCH_IT}") from error


def unpacked(folder: Path, name: str) -> bytes:
    """The content of one of the files, which may be packed by gzip."""
    plain, packed = folder / name, folder / f"{name}.gz"
    if plain.is_file():
        return plain.read_bytes()
    if not packed.is_file():
        raise FileNotFoundError(f"MNIST is not here: {folder} has no {name} ({FETCH_IT})")
    try:
        return gzip.decompress(packed.read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{packed} is damaged ({error}): {FETCH_IT}") from error


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def fingerprint(folder: Path | None = None) -> str | None:
    """What tells other data in the same format from MNIST; `None` for MNIST itself, or where there is none.

    Results of other data must not be taken for those of MNIST: this is part of a run's identity.
    """
    own = folder or mnist_folder()
    return None if own == cache_folder() else _fingerprint(own)


@functools.cache
def _fingerprint(folder: Path) -> str | None:
    try:
        sums = {name: _checksum(unpacked(folder, name)) for name in CHECKSUMS}
    except (OSError, ValueError):
        return None
    return None if sums == CHECKSUMS else _checksum("".join(sums.values()).encode())


def is_whole(folder: Path) -> bool:
    """Whether all four files are there, and right."""
    try:
        return all(_checksum(unpacked(folder, name)) == CHECKSUMS[name] for name in CHECKSUMS)
    except (OSError, ValueError):
        return False


def install(name: str, source: Path | None = None, *, progress: Progress = lambda done, whole: None) -> Path:
    """Put one verified file into the cache, from a folder or from the first mirror that gives the right one.

    Args:
        name: a key of `CHECKSUMS`.
        source: a folder with the file, packed or not; by default it is downloaded.
        progress: of the download.
    """
    target = cache_folder() / name
    if source is not None:
        content = unpacked(source, name)
        if _checksum(content) != CHECKSUMS[name]:
            raise ValueError(f"{source} has a {name} that is not MNIST's: its SHA-256 is wrong")
        return _write(target, content)
    packed = target.with_name(f"{name}.gz")
    complaints = []
    for mirror in MIRRORS:
        try:
            content = gzip.decompress(
                download((mirror,), packed.name, packed, progress=progress).read_bytes()
            )
        except (OSError, EOFError, zlib.error) as error:
            complaints.append(str(error))
            continue
        finally:
            packed.unlink(missing_ok=True)
        if _checksum(content) == CHECKSUMS[name]:
            return _write(target, content)
        complaints.append(f"{mirror} gave a {packed.name} whose SHA-256 is wrong")
    raise OSError(
        f"{name} could not be downloaded: {'; '.join(complaints)}. Get the four files of MNIST by other "
        "means and type `nalm data mnist --from FOLDER`"
    )


def _write(target: Path, content: bytes) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    temporary.write_bytes(content)
    temporary.replace(target)
    _loaded.cache_clear()
    return target
