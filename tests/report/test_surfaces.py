"""Loss surfaces at points computed by hand."""

from pathlib import Path

import pytest

from nalm.report.surfaces import DIVIDERS, EPSILONS, TARGET, draw_surfaces, surface


def test_the_target() -> None:
    assert pytest.approx(2.2 * 6.0) == TARGET


@pytest.mark.parametrize("tied", [*EPSILONS[:1], *DIVIDERS], ids=lambda tied: tied.title)
def test_all_weights_one_is_a_solution(tied) -> None:
    _, second, loss = surface(tied, points=3)
    assert second[-1] == 1
    assert loss[-1, -1] == pytest.approx(0, abs=1e-4)


def test_a_large_epsilon_moves_the_solution() -> None:
    _, _, loss = surface(EPSILONS[2], points=3)  # (2.2 + 1)(6 + 1) = 22.4
    assert loss[-1, -1] == pytest.approx(22.4 - 13.2, rel=1e-3)


def test_dividing_by_a_sum_near_zero_explodes() -> None:
    """w₁ = 0 makes both sums 0; w₂ = −1 divides by them."""
    for tied, least in ((EPSILONS[0], 1e13), (DIVIDERS[0], 1e13)):
        _, _, loss = surface(tied, points=3)
        assert loss[0, 1] > least
    _, _, loss = surface(EPSILONS[1], points=3)  # 0.1^−2 = 100
    assert loss[0, 1] == pytest.approx(100 - 13.2, rel=1e-3)


def test_the_nmru_never_explodes() -> None:
    _, second, loss = surface(DIVIDERS[2], points=21)
    assert second[0] == 0
    assert loss.max() < 100


def test_the_figure_is_written_twice(tmp_path: Path) -> None:
    paths = draw_surfaces(tmp_path, "surfaces", EPSILONS, points=5)
    assert [path.name for path in paths] == ["surfaces.png", "surfaces.pdf"]
    assert all(path.stat().st_size > 1000 for path in paths)
