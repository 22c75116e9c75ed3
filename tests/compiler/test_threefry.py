import numpy as np
import pytest
import torch
from scipy import stats

from nalm.compiler.streams import normals, uniforms
from nalm.compiler.threefry import LONGEST_SHORT, threefry2x32, xoshiro128

DATA, NOISE = 0, 16


def words(*values: int) -> tuple[torch.Tensor, ...]:
    return tuple(torch.from_numpy(np.array([value], dtype=np.uint32).view(np.int32)) for value in values)


@pytest.mark.parametrize(
    ("key", "counter", "expected"),
    [
        ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
        ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0x1CB996FC, 0xBB002BE7)),
        ((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3), (0xC4923A9C, 0x483DF7A0)),
    ],
)
def test_threefry_gives_the_published_known_answers(key, counter, expected):
    found = threefry2x32(words(*key), words(*counter))
    assert tuple(int(word) & 0xFFFFFFFF for word in found) == expected


def test_xoshiro_gives_the_published_known_answers():
    state = torch.tensor([1, 2, 3, 4], dtype=torch.int32)[:, None].expand(4, 2)
    found = xoshiro128(state, 6)[:, 1].tolist()
    answers = [641, 1573767, 3222811527, 3517856514, 836907274, 4247214768]
    assert [word & 0xFFFFFFFF for word in found] == answers


@pytest.mark.parametrize("count", [9, LONGEST_SHORT + 1])
def test_a_number_depends_on_its_own_seed_and_iteration_alone(count):
    many = uniforms(torch.arange(10, dtype=torch.int32), DATA, start=0, iterations=6, count=count)
    alone = uniforms(torch.tensor([7], dtype=torch.int32), DATA, start=4, iterations=1, count=count)
    assert torch.equal(many[4, 7], alone[0, 0])


def test_streams_of_one_seed_differ():
    seeds = torch.tensor([1], dtype=torch.int32)
    assert not torch.equal(uniforms(seeds, DATA, 0, 1, 16), uniforms(seeds, NOISE, 0, 1, 16))


@pytest.mark.parametrize("count", [1000, 4000])
def test_uniforms_are_uniform_and_uncorrelated(count):
    u = uniforms(torch.arange(25, dtype=torch.int32), DATA, 0, 40, count).numpy()
    assert u.min() >= 0
    assert u.max() < 1
    counts, _ = np.histogram(u, bins=1000, range=(0, 1))
    assert stats.chisquare(counts).pvalue > 1e-3
    for lagged in (u[1:] - u[:-1], u[:, 1:] - u[:, :-1], u[..., 1:] - u[..., :-1]):
        # Independent uniforms differ by a variance of 1/6; correlation would change it.
        assert abs(lagged.var() - 1 / 6) < 1e-3


def test_normals_are_standard_normal():
    z = normals(torch.arange(20, dtype=torch.int32), NOISE, 0, 10, 100).flatten().numpy()
    assert np.isfinite(z).all()
    assert stats.kstest(z, "norm").pvalue > 1e-3
