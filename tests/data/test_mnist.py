"""MNIST: where it is found, and what is said where it is not."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from nalm.data import mnist
from nalm.data.mnist import CHECKSUMS, VARIABLE, cache_folder, fingerprint, install, is_whole, load_mnist

SAMPLE = Path(__file__).parent / "mnist-sample"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv(VARIABLE, raising=False)
    return cache_folder()


def test_the_sample_is_real_digits() -> None:
    train, test = load_mnist("train", SAMPLE), load_mnist("test", SAMPLE)
    assert train.pixels.shape == (480, 28, 28)
    assert test.pixels.shape == (160, 28, 28)
    # The first digits of the published order.
    assert train.labels[:5].tolist() == [5, 0, 4, 1, 9]
    assert test.labels[:4].tolist() == [7, 2, 1, 0]
    assert set(np.unique(train.labels)) == set(range(10))


def test_a_folder_of_ones_own_is_used_and_told_apart(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fingerprint() is None
    monkeypatch.setenv(VARIABLE, str(SAMPLE))
    assert len(load_mnist("test").labels) == 160
    assert len(fingerprint() or "") == 64


def test_the_whole_of_it_is_verified_and_kept(whole_mnist: Path, cache: Path) -> None:
    for name in CHECKSUMS:
        install(name, whole_mnist)
    assert is_whole(cache)
    assert fingerprint(whole_mnist) is None
    assert len(load_mnist("train").labels) == 60_000
    damaged = cache / "t10k-labels-idx1-ubyte"
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"\0")
    mnist._loaded.cache_clear()
    with pytest.raises(ValueError, match=r"t10k-labels-idx1-ubyte is damaged .*type `nalm data mnist`"):
        load_mnist("test")
    assert not is_whole(cache)


def test_what_is_missing_is_named_with_the_remedy(cache: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no train-images-idx3-ubyte .*type `nalm data mnist`"):
        load_mnist("train")


def test_a_damaged_package_is_named(tmp_path: Path) -> None:
    for path in SAMPLE.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ValueError, match=r"ubyte.gz is damaged .*type `nalm data mnist`"):
        load_mnist("train", tmp_path)


def test_files_that_are_not_mnist_are_not_kept(cache: Path) -> None:
    with pytest.raises(ValueError, match="not MNIST's"):
        install("t10k-labels-idx1-ubyte", SAMPLE)
    assert not cache.exists()


def test_a_wrong_download_is_refused(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = tmp_path / "mirror"
    wrong.mkdir()
    (wrong / "t10k-labels-idx1-ubyte.gz").write_bytes(gzip.compress(b"something else"))
    monkeypatch.setattr(mnist, "MIRRORS", (wrong.as_uri(), "http://127.0.0.1:9"))
    with pytest.raises(OSError, match=r"SHA-256 is wrong; no mirror .*--from FOLDER"):
        install("t10k-labels-idx1-ubyte")


def test_pictures_need_their_labels(tmp_path: Path) -> None:
    for path in SAMPLE.iterdir():
        other = path.name.replace("t10k-labels", "train-labels") if "labels" in path.name else path.name
        (tmp_path / other).write_bytes(path.read_bytes())
    (tmp_path / "train-labels-idx1-ubyte.gz").write_bytes((SAMPLE / "t10k-labels-idx1-ubyte.gz").read_bytes())
    with pytest.raises(ValueError, match="480 pictures but 160 labels"):
        load_mnist("train", tmp_path)
