"""Thin-plate splines and the spatial transformer."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from scipy.interpolate import RBFInterpolator

from nalm.networks.architecture import redraw
from nalm.networks.vision import ColourDigits, SpatialTransformer, ThinPlateSpline


def test_splines_agree_with_scipy() -> None:
    spline = ThinPlateSpline(16, 7)
    moved = spline.points + 0.2 * torch.randn(16, 2, generator=torch.Generator().manual_seed(0))
    line = np.linspace(-1, 1, 7)
    y, x = np.meshgrid(line, line, indexing="ij")
    expected = RBFInterpolator(spline.points.numpy(), moved.numpy(), kernel="thin_plate_spline")(
        np.stack([x.ravel(), y.ravel()], axis=1)
    )
    np.testing.assert_allclose(spline(moved[None])[0].reshape(-1, 2), expected, atol=1e-4)


def test_an_affine_map_stays_affine() -> None:
    spline = ThinPlateSpline(16, 5)
    grid = spline((spline.points * 0.5 + 0.25)[None])[0]
    torch.testing.assert_close(grid[0, 0], torch.tensor([-0.25, -0.25]), atol=1e-4, rtol=0)
    torch.testing.assert_close(grid[0, 4], torch.tensor([0.75, -0.25]), atol=1e-4, rtol=0)


def test_points_must_make_a_square() -> None:
    with pytest.raises(ValueError, match="not a square number"):
        ThinPlateSpline(15, 5)


def test_it_starts_as_the_identity_and_the_reference_did_not() -> None:
    x = torch.rand(3, 2, 42, 42)
    start = SpatialTransformer()
    redraw(start)
    smaller = F.interpolate(x, 21, mode="bilinear", align_corners=True)
    # 0.99 of the picture fills the result, so edges differ by a fraction of a pixel.
    assert (start(x) - smaller).abs().mean() < 0.05
    drawn = SpatialTransformer(identity=False)
    redraw(drawn)
    assert drawn.controls(x).abs().max() < 0.6
    assert start.controls(x).abs().max().item() == pytest.approx(0.99, abs=1e-3)


def test_gradients_reach_the_localisation() -> None:
    network = ColourDigits("NMU")
    network(torch.rand(4, 2, 42, 42))[:, 0].sum().backward()
    assert network.first.fc2.weight.grad.abs().max() > 0
