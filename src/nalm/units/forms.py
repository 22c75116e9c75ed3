"""What a unit computes at its discrete weights, written with one matrix: what the solver fits in its place.

Between its discrete weights a unit is a relaxation, chosen for gradient descent. Any other relaxation that
agrees with it at the discrete weights has the same solutions, and some are far easier to fit: sums by least
squares, powers by least squares on logarithms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from torch import Tensor


class Kind(Enum):
    """The three functions of a matrix M that units compute; real M are their relaxations."""

    SUM = "Σ M·x"
    """y_o = Σ_i M[o, i]·x_i"""
    POWER = "Π x^M"
    """y_o = Π_i |x_i|^M[o, i] · cos(π Σ_{x_i < 0} M[o, i]): the plain power where M is an integer"""
    MAGNITUDE = "Π |x|^M"
    """y_o = Π_i |x_i|^M[o, i]"""


def as_weight(matrix: Tensor) -> dict[str, Tensor]:
    """The matrix of a form that is the unit's only weight, called `weight`."""
    return {"weight": matrix}


@dataclass(frozen=True)
class Form:
    """A function a unit can compute exactly, as one matrix of shape [out_features, in_features].

    Attributes:
        kind: which function of the matrix it is.
        values: the entries the matrix may have; empty if every real number is one.
        weights: the declared weights that make the unit compute the form, as `Unit.assign` takes them.

    Example:
        >>> from nalm import NAU
        >>> form, = NAU(2, 1).forms()
        >>> form.kind.value, form.values
        ('Σ M·x', (-1.0, 0.0, 1.0))
    """

    kind: Kind
    values: tuple[float, ...]
    weights: Callable[[Tensor], dict[str, Tensor]] = as_weight
