"""Two distorted digits, one per colour channel (002 section 4.6.1.2; Jaderberg et al. 2015, appendix A.4)."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from nalm.compiler.declare import Drawn
from nalm.compiler.streams import uniforms
from nalm.tasks.digits.images import PictureTask
from nalm.tasks.digits.two_digit_task import PairSupplier
from nalm.tasks.supply import COIN

CANVAS, PICTURE = 42, 28
TURN = math.pi / 4
"""Digits are turned by up to 45° either way."""
SMALLEST, LARGEST = 0.7, 1.2
"""Digits are scaled by a factor between these."""
DRAWN = 4
"""Uniform numbers per digit: angle, factor, and the two offsets."""
EVALUATION_SEED = 1
"""Of the distortions in evaluation. The published code redrew them at every evaluation."""


@dataclass(frozen=True)
class ColourTask(PictureTask):
    """The product of a turned, scaled and shifted digit in each of two channels; the seed is the fold.

    The thesis cuts the hundred pairs into three folds, and sets 15 % of the training samples aside, which
    nothing uses. Here they are trained on.

    Attributes:
        operation: `"mul"`.
        first: the smallest digit that occurs.
        parts: how many folds the pairs are cut into.
        per_pair: samples of every pair.
        tested: how many samples are tested on at most; `None` for all of the fold.
        inputs: pixels in a row.
    """

    operation: str = "mul"
    first: int = 0
    parts: int = 3
    per_pair: int = 1100
    tested: int | None = None
    inputs: int = CANVAS

    def supplier(self, batch_size: int) -> ColourSupplier:
        return ColourSupplier(batch_size, self)

    def tested_on(self, samples: int) -> ColourTask:
        return dataclasses.replace(self, tested=samples)


@dataclass(frozen=True)
class ColourSupplier(PairSupplier):
    """Pictures of 2 × 42 × 42, distorted afresh whenever they are trained on."""

    task: ColourTask

    def draws(self) -> dict[str, Drawn]:
        return {"transform": Drawn(COIN, (self.batch_size, 2, DRAWN))}

    def compose(self, pixels: Tensor, transform: Tensor | None = None) -> Tensor:
        """Pictures [samples, 2, 28, 28], uniform numbers [samples, 2, 4]: bytes [samples, 2, 42, 42]."""
        if transform is None:
            raise ValueError("pictures in colour channels are distorted by random numbers: give them")
        flat = pixels.flatten(0, 1).unsqueeze(1).float()
        placed = F.grid_sample(flat, places(transform.flatten(0, 1)), align_corners=False)
        return placed.round().clamp(0, 255).to(torch.uint8).view(-1, 2, CANVAS, CANVAS)

    def fixed(self, places: Tensor) -> Tensor:
        seed = torch.tensor([EVALUATION_SEED], dtype=torch.int32)
        return uniforms(seed, COIN, 0, 1, len(places) * 2 * DRAWN).view(len(places), 2, DRAWN)


def places(drawn: Tensor) -> Tensor:
    """Where each pixel of the canvas lies in the picture it shows: [n, 42, 42, 2] in units of half its side.

    The picture is turned and scaled about its centre, cut off at its own edges, and then put somewhere on
    the canvas.

    Args:
        drawn: uniform numbers in [0, 1), [n, 4].
    """
    angle, factor, across, down = drawn.unbind(dim=-1)
    angle = (2 * angle - 1) * TURN
    factor = SMALLEST + (LARGEST - SMALLEST) * factor
    offset = (torch.stack([across, down], dim=-1) * (CANVAS - PICTURE)).floor()
    line = torch.arange(CANVAS, dtype=drawn.dtype)
    y, x = torch.meshgrid(line, line, indexing="ij")
    pixels = torch.stack([x, y], dim=-1) - offset[:, None, None]
    inside = ((pixels >= 0) & (pixels < PICTURE)).all(dim=-1, keepdim=True)
    centred = (pixels + 0.5) / (PICTURE / 2) - 1
    cos, sin = angle.cos() / factor, angle.sin() / factor
    turned = torch.stack(
        [
            cos[:, None, None] * centred[..., 0] + sin[:, None, None] * centred[..., 1],
            cos[:, None, None] * centred[..., 1] - sin[:, None, None] * centred[..., 0],
        ],
        dim=-1,
    )
    # Outside the picture: `grid_sample` gives 0 far from it.
    return torch.where(inside, turned, 2.0 * PICTURE)
