"""MNIST as tensors, and what all tasks on it have in common."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from nalm.data.mnist import PARTS, fingerprint, load_mnist, mnist_folder
from nalm.tasks.supply import Task


class Digits(NamedTuple):
    """Pictures as bytes, [samples, 28, 28], and the digits they show as numbers, [samples]."""

    pixels: Tensor
    labels: Tensor


def digits(part: str) -> Digits:
    """The training or the test digits of MNIST, in their published order."""
    return _digits(part, mnist_folder())


@functools.lru_cache(maxsize=4)
def _digits(part: str, folder: Path) -> Digits:
    pixels, labels = load_mnist(part, folder)
    return Digits(torch.tensor(pixels), torch.tensor(labels).float())


class PictureTask(Task):
    """A task on the pictures of MNIST, or on what is read in their place."""

    def sources(self) -> dict[str, str]:
        other = fingerprint()
        return {} if other is None else {"mnist": other}

    def check_data(self) -> None:
        for part in PARTS:
            digits(part)
