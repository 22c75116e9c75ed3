"""The expected output of one factor of a NAC•, approximated and exact (001 appendix B.3).

Formally, with W ~ U[−r_w, r_w] and z ~ U[0, r_z], the approximation is 1 + ½·Var[W]·ln(E[z] + ε)², the exact
value E[(z + ε)^W] = E[sinh(r_w·ln(z + ε)) / (r_w·ln(z + ε))], a single integral over z. The paper estimated
it from 100,000 samples; here it is integrated.
"""

from __future__ import annotations

import math

import scipy

from nalm.units.multiplicative import EPSILON


def approximated(weight_range: float, input_range: float) -> float:
    """The second-order Taylor approximation of one factor's expectation.

    Example:
        >>> round(approximated(0.3, 2.0), 6)  # ln E[z] = 0
        1.0
    """
    variance = weight_range**2 / 3
    return 1 + variance * math.log(input_range / 2 + EPSILON) ** 2 / 2


def exact(weight_range: float, input_range: float) -> float:
    """E[(z + ε)^W] by quadrature.

    Example:
        >>> round(exact(1e-6, 10.0), 6)
        1.0
    """

    def mean_over_weights(log_z: float) -> float:
        a = weight_range * log_z
        return math.sinh(a) / a if abs(a) > 1e-6 else 1 + a * a / 6

    # Over ln(z + ε), so that the neighbourhood of 0 gets its share of points.
    value, _ = scipy.integrate.quad(
        lambda t: mean_over_weights(t) * math.exp(t),
        math.log(EPSILON),
        math.log(input_range + EPSILON),
        limit=200,
    )
    return value / input_range
