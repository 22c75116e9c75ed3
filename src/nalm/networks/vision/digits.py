"""CNNs that read one digit: a number (001 section 4.2), or the expected class (002 section 4.6.1)."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from nalm.networks.vision.pooled import convolve_and_pool

MEAN, DEVIATION = 0.1307, 0.3081
"""Of MNIST's training pixels between 0 and 1."""


def standardised(x: Tensor) -> Tensor:
    """Grey values as networks take them: bytes are scaled to mean 0 and deviation 1, other numbers stay.

    Example:
        >>> standardised(torch.tensor([0, 255], dtype=torch.uint8))
        tensor([-0.4242,  2.8215])
    """
    if x.dtype != torch.uint8:
        return x
    scaled: Tensor = (x.float() / 255 - MEAN) / DEVIATION
    return scaled


def softargmax(logits: Tensor, first: int = 0) -> Tensor:
    """The expected class, differentiable (002 eq. 7.3 with τ = 1): Σ_k softmax(logits)_k·(first + k).

    Example:
        >>> softargmax(torch.tensor([0.0, 0.0, 30.0]), first=1)
        tensor(3.)
    """
    classes = torch.arange(first, first + logits.shape[-1], dtype=logits.dtype, device=logits.device)
    return (torch.softmax(logits, dim=-1) * classes).sum(dim=-1)


def _pooled(layer: nn.Conv2d, x: Tensor) -> Tensor:
    """A convolution with its pool and ReLU."""
    assert layer.bias is not None
    return convolve_and_pool(x, layer.weight, layer.bias)


class DigitRegressor(nn.Module):
    """A picture to one number, unbounded: 431,080 + 501 parameters (001 section 4.2; 002 figure E.4).

    conv(20, 5 × 5), ReLU, pool; conv(50, 5 × 5), ReLU, pool; linear to 500, ReLU; linear to 1.

    Example:
        >>> DigitRegressor()(torch.zeros(7, 28, 28, dtype=torch.uint8)).shape
        torch.Size([7, 1])
    """

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 20, 5)
        self.conv2 = nn.Conv2d(20, 50, 5)
        self.fc1 = nn.Linear(800, 500)
        self.fc2 = nn.Linear(500, 1)

    def forward(self, x: Tensor) -> Tensor:
        """[samples, 28, 28] to [samples, 1]."""
        h = _pooled(self.conv2, _pooled(self.conv1, standardised(x).unsqueeze(1)))
        result: Tensor = self.fc2(self.fc1(h.flatten(1)).relu())
        return result


class DigitClassifier(nn.Module):
    """A picture to the expected class of a digit (002 figure E.1, and figure E.3 for the colour channels).

    conv(32, 3 × 3), ReLU; conv(64, 3 × 3), ReLU, pool, dropout ¼; linear to 128, ReLU, dropout ½; linear to
    the classes; softargmax.

    Args:
        classes: how many digits there are.
        first: the smallest.
        channels: of the picture.
        size: of its sides.

    Example:
        >>> DigitClassifier(classes=9, first=1).eval()(torch.zeros(7, 1, 28, 28)).shape
        torch.Size([7])
    """

    def __init__(self, classes: int = 10, first: int = 0, channels: int = 1, size: int = 28) -> None:
        super().__init__()
        self.first = first
        self.conv1 = nn.Conv2d(channels, 32, 3)
        self.conv2 = nn.Conv2d(32, 64, 3)
        self.fc1 = nn.Linear(64 * ((size - 4) // 2) ** 2, 128)
        self.fc2 = nn.Linear(128, classes)

    def forward(self, x: Tensor) -> Tensor:
        """[samples, channels, size, size] to [samples]."""
        h = _pooled(self.conv2, self.conv1(x).relu())
        h = F.dropout(h, 0.25, self.training).flatten(1)
        h = F.dropout(self.fc1(h).relu(), 0.5, self.training)
        return softargmax(self.fc2(h), self.first)
