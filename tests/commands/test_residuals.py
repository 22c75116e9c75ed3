"""The residual plot."""

import numpy as np

from nalm.commands.residuals import residual_plot


def test_every_row_is_drawn_where_it_belongs() -> None:
    plot = residual_plot(np.array([0.0, 10.0]), np.array([2.0, -2.0]), width=21, height=5).splitlines()
    assert plot[0].endswith("|·")
    assert plot[4].index("·") == plot[0].index("|") + 21
    assert plot[0].split() == ["2", "|·"]
    assert plot[4].split()[0] == "-2"


def test_darker_where_there_are_more_rows() -> None:
    plot = residual_plot(np.zeros(100), np.concatenate([np.ones(99), [-1.0]]), width=5, height=3)
    assert "@" in plot.splitlines()[0]
    assert "·" in plot.splitlines()[2]


def test_no_residuals_and_no_spread() -> None:
    plot = residual_plot(np.full(3, 2.0), np.zeros(3)).splitlines()
    assert len(plot) == 2
    assert "2" in plot[1]


def test_long_labels_do_not_push_lines_aside() -> None:
    plot = residual_plot(np.array([0.0, 1.0]), np.array([4.44e-15, -4.44e-15]), width=9, height=3)
    assert {line.index("|") for line in plot.splitlines() if "|" in line} == {10}
