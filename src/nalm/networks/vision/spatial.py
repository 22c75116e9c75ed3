"""Spatial transformer with thin-plate splines (Jaderberg et al. 2015; Shi et al. 2016; 002 section E.4.2)."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from nalm.networks.vision.pooled import convolve_and_pool

TINY = 1e-6
"""Added to squared distances, whose logarithm at 0 is infinite: r²·ln r² is 0 there."""


class ThinPlateSpline(nn.Module):
    """The smooth map of the plane that moves a regular grid of points to given places (Bookstein 1989).

    Formally, with K points p_k on a square grid over [−1, 1]² and U(r²) = r²·ln r²,

        f(x) = a + A·x + Σ_k w_k·U(|x − p_k|²),   f(p_k) = c_k,   Σ w_k = 0,   Σ w_k·p_k = 0

    Args:
        points: K, a square number.
        size: sides of the pictures that are sampled.

    Example:
        >>> spline = ThinPlateSpline(16, 5)
        >>> grid = spline(spline.points.expand(1, 16, 2))
        >>> torch.allclose(grid[0, 0, 0], torch.tensor([-1.0, -1.0]), atol=1e-4)  # left where it is
        True
    """

    points: Tensor
    solution: Tensor

    def __init__(self, points: int, size: int) -> None:
        super().__init__()
        side = round(points**0.5)
        if side**2 != points or side < 2:
            raise ValueError(f"control points lie on a square grid: {points} is not a square number above 1")
        controls = _grid(side)
        # The conditions are linear in the coefficients, the map linear in them: one matrix does both.
        system = torch.zeros(points + 3, points + 3, dtype=torch.float64)
        system[:points] = _basis(controls, controls)
        system[points:, :points] = system[:points, points:].T
        values = torch.eye(points + 3, points, dtype=torch.float64)
        coefficients = torch.linalg.solve(system, values)
        self.register_buffer("points", controls.float(), persistent=False)
        solution = _basis(_grid(size), controls) @ coefficients
        self.register_buffer("solution", solution.float(), persistent=False)
        self.size = size

    def forward(self, controls: Tensor) -> Tensor:
        """Where each pixel is sampled: [samples, K, 2] to [samples, size, size, 2], in x and y."""
        return (self.solution @ controls).unflatten(1, (self.size, self.size))


def _grid(side: int) -> Tensor:
    """Points of a square grid over [−1, 1]², row by row: [side², 2], in x and y."""
    line = torch.linspace(-1, 1, side, dtype=torch.float64)
    y, x = torch.meshgrid(line, line, indexing="ij")
    return torch.stack([x.flatten(), y.flatten()], dim=1)


def _basis(x: Tensor, controls: Tensor) -> Tensor:
    """Distances to the control points, 1, and the coordinates: [n, K + 3]."""
    squares = (x.unsqueeze(1) - controls).square().sum(dim=2)
    return torch.cat([squares * (squares + TINY).log(), torch.ones_like(x[:, :1]), x], dim=1)


class SpatialTransformer(nn.Module):
    """Looks at a picture, decides where the digit is, and samples it from there (002 figure E.2).

    A localisation network (average pool, conv 20, pool, conv 20, linear 32, linear to the K control points,
    tanh) gives the places that a regular grid over the result is sampled from.

    Args:
        channels: of the pictures.
        size: their sides, and at 42 those of the published network.
        output: sides of the result.
        points: K.
        identity: start from the identity, shrunk so that tanh can express it: the last layer's weights at 0
            and its bias at the grid. The reference code sets that up and then redraws all layers, so that
            control points start near the centre (D33): `False`.

    Example:
        >>> x = torch.rand(2, 2, 42, 42)
        >>> SpatialTransformer()(x).shape
        torch.Size([2, 2, 21, 21])
    """

    REACH = 0.99
    """How far towards the edge the identity starts: tanh does not reach 1."""

    def __init__(
        self, channels: int = 2, size: int = 42, output: int = 21, points: int = 16, identity: bool = True
    ) -> None:
        super().__init__()
        self.identity = identity
        self.conv1 = nn.Conv2d(channels, 20, 5)
        self.conv2 = nn.Conv2d(20, 20, 5)
        self.fc1 = nn.Linear(20 * ((size // 2 - 4) // 2 - 4) ** 2, 32)
        self.fc2 = nn.Linear(32, 2 * points)
        self.spline = ThinPlateSpline(points, output)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Redraw the parameters, and start from the identity if asked to."""
        for layer in (self.conv1, self.conv2, self.fc1, self.fc2):
            layer.reset_parameters()
        if self.identity:
            nn.init.zeros_(self.fc2.weight)
            with torch.no_grad():
                self.fc2.bias.copy_((self.spline.points * self.REACH).clamp(-1, 1).atanh().flatten())

    def controls(self, x: Tensor) -> Tensor:
        """The control points of each picture: [samples, K, 2] within (−1, 1)."""
        assert self.conv1.bias is not None
        h = convolve_and_pool(F.avg_pool2d(x, 2), self.conv1.weight, self.conv1.bias)
        h = self.fc1(self.conv2(h).relu().flatten(1))
        return torch.tanh(self.fc2(h)).unflatten(1, (-1, 2))

    def forward(self, x: Tensor) -> Tensor:
        """[samples, channels, size, size] to [samples, channels, output, output]."""
        return F.grid_sample(x, self.spline(self.controls(x)), align_corners=True)
