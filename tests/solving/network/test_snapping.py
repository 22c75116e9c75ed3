"""From fitted numbers to discrete values."""

import torch

from nalm.solving.network.snapping import round_to, snap, unit_of

TERNARY = (-1.0, 0.0, 1.0)


def double(*values):
    return torch.tensor(values, dtype=torch.float64)


def test_real_entries_become_half_integers_only_when_sure():
    fitted = double(0.5 + 1e-6, 0.5 + 1e-3, 2.3, -1.0)
    error = double(1e-6, 1e-6, 1e-6, 0.1)
    assert round_to(fitted, (), error).tolist() == [0.5, 0.5 + 1e-3, 2.3, -1.0]
    assert round_to(fitted, (), double(1e-6, 1e-6, 1e-6, 0.1)).tolist()[3] == -1.0
    assert round_to(double(-1.01), (), double(0.1)).tolist() == [-1.01]


def test_the_unit_of_a_vector_known_up_to_a_factor():
    integers = double(2.0, -1.0, 0.0, 1.0, 2.0)
    unit = unit_of(0.37 * integers, (-2.0, -1.0, 0.0, 1.0, 2.0))
    torch.testing.assert_close(0.37 * integers / unit, integers)
    noisy = 5 * double(1.0, 0.0, -1.0, 1.0) + double(0.3, 0.2, -0.4, -0.3)
    assert round_to(noisy / unit_of(noisy, TERNARY), TERNARY).tolist() == [1.0, 0.0, -1.0, 1.0]


def test_snap_repairs_what_rounding_alone_gets_wrong():
    # p₀ + p₁ = 1 and p₁ + p₂ = 0 leave a line of solutions; its discrete points are (1, 0, 0) and (0, 1, −1).
    def refit(point, free):
        rows = double([1.0, 1.0, 0.0], [0.0, 1.0, 1.0])
        rest = double(1.0, 0.0) - rows[:, ~free] @ point[~free]
        point = point.clone()
        if bool(free.any()):
            point[free] = torch.linalg.pinv(rows[:, free]) @ rest
        return point, float((rows @ point - double(1.0, 0.0)).square().sum())

    found = snap(double(0.6, 0.4, -0.4), [TERNARY] * 3, refit, tolerance=1e-9)
    assert found is not None
    assert found.tolist() in ([1.0, 0.0, 0.0], [0.0, 1.0, -1.0])
    assert snap(double(0.6, 0.4, -0.4), [(0.0,)] * 3, refit, tolerance=1e-9) is None


def test_snap_leaves_real_parameters_free():
    def refit(point, free):
        point = point.clone()
        if bool(free[1]):
            point[1] = 0.3
        return point, float((point[0] - 1) ** 2)

    assert snap(double(0.98, 0.3), [(0.0, 1.0), ()], refit, tolerance=1e-9).tolist() == [1.0, 0.3]
