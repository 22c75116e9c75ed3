import torch

from nalm.units.natural import decorrelated, whitened


def drawn(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_whitening_is_the_inverse_of_variance_and_mean():
    x, g = 3.0 + drawn(500, 6), drawn(500, 2, seed=1)
    mean = x.mean(dim=0)
    variance = (x - mean).square().mean()
    moments = variance * torch.eye(6, dtype=torch.float64) + torch.outer(mean, mean)
    torch.testing.assert_close(whitened(g, x), variance * g.t() @ x @ moments.inverse(), rtol=1e-3, atol=1e-3)


def test_equal_samples_still_have_a_gradient():
    found = whitened(torch.ones(8, 1), torch.full((8, 3), 2.0))
    assert (found > 0).all()


def test_decorrelation_inverts_up_to_the_damping():
    g = drawn(300, 5) @ drawn(5, 5, seed=1)
    moments = g.t() @ g
    moments = moments / moments.trace() + 0.01 * torch.eye(5, dtype=torch.float64)
    gradient = drawn(5, 7, seed=2)
    exact = torch.linalg.solve(moments, gradient)
    torch.testing.assert_close(
        decorrelated(g, gradient, 0.01), exact, rtol=0.02, atol=0.02 * exact.abs().max().item()
    )


def test_a_gradient_of_zero_stays_zero():
    assert torch.equal(decorrelated(torch.zeros(4, 2), torch.zeros(2, 3), 0.01), torch.zeros(2, 3))
