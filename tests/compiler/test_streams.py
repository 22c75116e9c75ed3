"""The compiled generator gives the numbers of the one in torch, which has the published answers."""

import pytest
import torch

from nalm.compiler import normals, streams, threefry, uniforms

SEEDS = torch.tensor([3, 5, 7, 11, 2**31 - 1, 0, 1, 2, 9, 4], dtype=torch.int32)


@pytest.mark.parametrize("count", [1, 2, 3, 256, 2048, 2049, 12_800])
@pytest.mark.parametrize("stream", [0, 17])
def test_uniforms_are_the_published_ones(count: int, stream: int) -> None:
    expected = threefry.uniforms(SEEDS, stream, 7, 2, count)
    assert torch.equal(uniforms(SEEDS, stream, 7, 2, count), expected)


def test_normals_are_those_of_the_transform(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = normals(SEEDS, 2, 7, 3, 500)
    monkeypatch.setattr(streams, "compiler", lambda: None)
    assert torch.allclose(ours, normals(SEEDS, 2, 7, 3, 500), rtol=0, atol=1e-6)
