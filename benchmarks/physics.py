"""Targets of `benchmarks/formulas.py`: laws of physics, some of them beyond what arithmetic can express.

Each target gives the law, the interval every variable is drawn from, and nothing else: constants of nature
are part of the law, in SI units or in the units named beside it. The first list needs only + − × ÷ and
half-integer powers; the second needs more and must come back unverified.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import sympy

from nalm.formulas import parse_formula


@dataclass(frozen=True)
class Target:
    """A law y = f(variables) with the intervals its variables are drawn from."""

    name: str
    law: str
    ranges: Mapping[str, tuple[float, float]]
    in_class: bool = True

    @property
    def variables(self) -> list[str]:
        return list(self.ranges)

    @property
    def expression(self) -> sympy.Expr:
        """The law as a sympy expression in real symbols."""
        return parse_formula(self.law, [sympy.Symbol(name, real=True) for name in self.ranges])

    def function(self) -> Callable[..., np.ndarray]:
        """The law as a function of one array per variable."""
        symbols = [sympy.Symbol(name, real=True) for name in self.ranges]
        return sympy.lambdify(symbols, self.expression, "numpy")

    def sample(
        self, rows: int, rng: np.random.Generator, *, stretch: float = 1.0
    ) -> tuple[np.ndarray, np.ndarray]:
        """Rows with every variable uniform on its interval, stretched about its centre when extrapolating.

        A stretched interval keeps the sign of its bounds, and rows where the law is not finite are drawn
        anew.
        """
        function, columns = self.function(), np.empty((0, len(self.ranges)))
        values = np.empty(0)
        while len(values) < rows:
            x = np.column_stack([_draw(rng, rows, bounds, stretch) for bounds in self.ranges.values()])
            with np.errstate(all="ignore"):
                y = np.broadcast_to(np.asarray(function(*x.T), dtype=float), (rows,))
            kept = np.isfinite(y)
            columns, values = np.vstack([columns, x[kept]]), np.concatenate([values, y[kept]])
        return columns[:rows], values[:rows]


def _draw(rng: np.random.Generator, rows: int, bounds: tuple[float, float], stretch: float) -> np.ndarray:
    low, high = bounds
    reach = (high - low) * (stretch - 1) / 2
    stretched_low, stretched_high = low - reach, high + reach
    if low >= 0:
        stretched_low = max(stretched_low, low / stretch)
    return rng.uniform(stretched_low, stretched_high, rows)


IN_CLASS = (
    # mechanics
    Target("kinetic energy", "m*v**2/2", {"m": (0.1, 10), "v": (0.5, 30)}),
    Target(
        "uniform acceleration",
        "s + v*t + a*t**2/2",
        {"s": (-10, 10), "v": (-5, 5), "a": (-4, 4), "t": (0.1, 8)},
    ),
    Target("speed after a distance", "sqrt(v**2 + 2*a*s)", {"v": (1, 10), "a": (0.5, 5), "s": (1, 20)}),
    Target("pendulum period", "2*pi*sqrt(L/g)", {"L": (0.1, 4), "g": (1.6, 25)}),
    Target("gravitation", "6.6743e-11*m1*m2/r**2", {"m1": (10, 500), "m2": (10, 500), "r": (0.5, 20)}),
    Target("escape speed", "sqrt(2*6.6743e-11*M/r)", {"M": (1e23, 1e25), "r": (1e6, 1e7)}),
    Target("Kepler's third law", "2*pi*sqrt(a**3/(mu*M))", {"a": (0.3, 30), "mu": (1, 40), "M": (0.5, 5)}),
    Target("vis-viva", "sqrt(G*M*(2/r - 1/a))", {"G": (0.5, 2), "M": (1, 5), "r": (1, 3), "a": (2, 6)}),
    Target(
        "centre of mass",
        "(m1*x1 + m2*x2)/(m1 + m2)",
        {"m1": (1, 5), "m2": (1, 5), "x1": (-4, 4), "x2": (-4, 4)},
    ),
    Target(
        "elastic collision",
        "((m1 - m2)*v1 + 2*m2*v2)/(m1 + m2)",
        {"m1": (1, 5), "m2": (1, 5), "v1": (-3, 3), "v2": (-3, 3)},
    ),
    Target("reduced mass", "m1*m2/(m1 + m2)", {"m1": (1, 20), "m2": (1, 20)}),
    Target("Atwood machine", "9.80665*(m1 - m2)/(m1 + m2)", {"m1": (3, 6), "m2": (1, 2.5)}),
    Target(
        "Atwood machine with pulley",
        "g*(m1 - m2)/(m1 + m2 + I/r**2)",
        {"g": (1, 10), "m1": (3, 6), "m2": (1, 2.5), "I": (0.1, 2), "r": (0.5, 2)},
    ),
    Target(
        "potential energy between two heights",
        "G*M*m*(1/r1 - 1/r2)",
        {"G": (0.5, 2), "M": (1, 5), "m": (1, 5), "r1": (1, 2), "r2": (3, 6)},
    ),
    Target(
        "oscillator energy", "m*v**2/2 + k*x**2/2", {"m": (0.5, 4), "v": (-3, 3), "k": (1, 20), "x": (-1, 1)}
    ),
    Target("damped frequency", "sqrt(k/m - b**2/(4*m**2))", {"k": (5, 20), "m": (1, 3), "b": (0.2, 3)}),
    Target(
        "driven amplitude",
        "F/(m*sqrt((w0**2 - w**2)**2 + (g*w)**2))",
        {"F": (1, 5), "m": (1, 3), "w0": (1, 3), "w": (0.5, 4), "g": (0.2, 1)},
    ),
    Target(
        "distance in space",
        "sqrt((x2-x1)**2 + (y2-y1)**2 + (z2-z1)**2)",
        dict.fromkeys(("x1", "y1", "z1", "x2", "y2", "z2"), (-3.0, 3.0)),
    ),
    # fluids
    Target(
        "Bernoulli pressure",
        "p + rho*(v1**2 - v2**2)/2 + 9.80665*rho*h",
        {"p": (100, 200), "rho": (0.8, 1.2), "v1": (1, 10), "v2": (1, 10), "h": (-5, 5)},
    ),
    Target(
        "Venturi speed",
        "sqrt(2*dp/(rho*(A1**2/A2**2 - 1)))",
        {"dp": (1, 50), "rho": (0.8, 1.3), "A1": (2, 5), "A2": (0.5, 1.5)},
    ),
    Target(
        "Poiseuille flow",
        "pi*dp*r**4/(8*eta*L)",
        {"dp": (10, 100), "r": (0.1, 2), "eta": (0.5, 5), "L": (1, 10)},
    ),
    Target("drag", "rho*v**2*c*A/2", {"rho": (0.5, 1.5), "v": (1, 50), "c": (0.1, 1.5), "A": (0.1, 4)}),
    # heat
    Target("ideal gas", "n*8.314462618*T/V", {"n": (0.5, 4), "T": (250, 400), "V": (0.01, 0.1)}),
    Target(
        "van der Waals gas",
        "8.314462618*T/(V - b) - a/V**2",
        {"T": (250, 400), "V": (0.5, 2), "a": (100, 400), "b": (0.02, 0.1)},
    ),
    Target(
        "mixing temperature",
        "(m1*c1*T1 + m2*c2*T2)/(m1*c1 + m2*c2)",
        {"m1": (1, 5), "c1": (0.4, 4), "T1": (280, 300), "m2": (1, 5), "c2": (0.4, 4), "T2": (320, 370)},
    ),
    Target(
        "radiated power", "5.670374419e-8*A*(T**4 - S**4)", {"A": (0.1, 3), "T": (400, 900), "S": (250, 320)}
    ),
    Target("Carnot efficiency", "1 - Tc/Th", {"Tc": (250, 320), "Th": (350, 900)}),
    Target("root mean square speed", "sqrt(3*1.380649*T/m)", {"T": (100, 1000), "m": (1, 50)}),
    # electricity
    Target(
        "Coulomb force",
        "q1*q2/(4*pi*eps*r**2)",
        {"q1": (-5, 5), "q2": (-5, 5), "eps": (1, 10), "r": (0.5, 4)},
    ),
    Target(
        "three parallel resistors", "1/(1/R1 + 1/R2 + 1/R3)", {"R1": (1, 50), "R2": (1, 50), "R3": (1, 50)}
    ),
    Target("series with parallel", "R1 + R2*R3/(R2 + R3)", {"R1": (1, 20), "R2": (1, 20), "R3": (1, 20)}),
    Target(
        "Wheatstone bridge",
        "V*(R2/(R1 + R2) - R4/(R3 + R4))",
        {"V": (1, 10), "R1": (1, 9), "R2": (1, 9), "R3": (1, 9), "R4": (1, 9)},
    ),
    Target(
        "impedance of a series circuit",
        "sqrt(R**2 + (w*L - 1/(w*C))**2)",
        {"R": (0.5, 5), "w": (0.5, 3), "L": (0.5, 3), "C": (0.2, 2)},
    ),
    Target("resonant frequency", "1/(2*pi*sqrt(L*C))", {"L": (0.1, 5), "C": (0.1, 5)}),
    Target("spherical capacitor", "4*pi*8.8541878128*a*b/(b - a)", {"a": (1, 2), "b": (3, 6)}),
    Target(
        "field on the axis of a ring",
        "k*Q*z/(z**2 + R**2)**(3/2)",
        {"k": (1, 9), "Q": (-3, 3), "z": (0.2, 4), "R": (0.5, 3)},
    ),
    Target(
        "field on the axis of a loop",
        "mu*I*R**2/(2*(R**2 + z**2)**(3/2))",
        {"mu": (1, 3), "I": (0.5, 10), "R": (0.5, 3), "z": (-4, 4)},
    ),
    Target(
        "field of a charged disc",
        "s/(2*eps)*(1 - z/sqrt(z**2 + R**2))",
        {"s": (0.5, 4), "eps": (1, 5), "z": (0.2, 3), "R": (0.5, 3)},
    ),
    Target(
        "plasma frequency",
        "sqrt(n*q**2/(eps*m))",
        {"n": (1, 20), "q": (0.5, 3), "eps": (1, 5), "m": (0.5, 5)},
    ),
    # optics and waves
    Target("thin lens", "1/(1/f - 1/u)", {"f": (0.1, 0.5), "u": (0.8, 5)}),
    Target(
        "lensmaker",
        "1/((n - 1)*(1/R1 - 1/R2 + (n - 1)*d/(n*R1*R2)))",
        {"n": (1.3, 1.9), "R1": (0.1, 0.4), "R2": (0.8, 2), "d": (0.005, 0.05)},
    ),
    Target("normal reflectance", "((n1 - n2)/(n1 + n2))**2", {"n1": (1, 1.5), "n2": (1.6, 3)}),
    Target(
        "Doppler shift",
        "f*(c + v)/(c - u)",
        {"f": (100, 900), "c": (320, 350), "v": (-30, 30), "u": (-30, 30)},
    ),
    Target("string fundamental", "sqrt(T/mu)/(2*L)", {"T": (10, 200), "mu": (0.001, 0.02), "L": (0.3, 1.5)}),
    # relativity and atoms
    Target("relativistic momentum", "m*v/sqrt(1 - v**2/c**2)", {"m": (0.5, 5), "v": (0.2, 2), "c": (2.5, 4)}),
    Target("velocity addition", "(u + v)/(1 + u*v/c**2)", {"u": (0.1, 2), "v": (0.1, 2), "c": (2.5, 4)}),
    Target(
        "energy of a moving particle",
        "sqrt(p**2*c**2 + m**2*c**4)",
        {"p": (0.5, 5), "m": (0.3, 3), "c": (0.5, 2)},
    ),
    Target(
        "relativistic kinetic energy",
        "m*c**2*(1/sqrt(1 - v**2/c**2) - 1)",
        {"m": (0.5, 5), "v": (0.2, 2), "c": (2.5, 4)},
    ),
    Target("relativistic Doppler shift", "f*sqrt((1 - b)/(1 + b))", {"f": (1, 10), "b": (-0.8, 0.8)}),
    Target("Rydberg wavelength", "1/(1.0973731568e-2*(1/n1**2 - 1/n2**2))", {"n1": (1, 3), "n2": (4, 9)}),
    Target("Compton shift", "lam + 2.42631*(1 - cosine)", {"lam": (1, 100), "cosine": (-1, 1)}),
    Target(
        "Lennard-Jones potential",
        "4*e*((s/r)**12 - (s/r)**6)",
        {"e": (0.2, 2), "s": (0.8, 1.2), "r": (0.9, 2)},
    ),
)

OUT_OF_CLASS = tuple(
    Target(name, law, ranges, in_class=False)
    for name, law, ranges in (
        ("projectile range", "v**2*sin(2*a)/9.80665", {"v": (5, 30), "a": (0.1, 1.4)}),
        ("radioactive decay", "N*exp(-t/tau)", {"N": (100, 1000), "t": (0.1, 10), "tau": (2, 8)}),
        (
            "damped oscillation",
            "A*exp(-g*t)*cos(w*t)",
            {"A": (1, 3), "g": (0.1, 0.5), "w": (1, 3), "t": (0, 6)},
        ),
        (
            "isothermal work",
            "n*8.314462618*T*log(V2/V1)",
            {"n": (0.5, 4), "T": (250, 400), "V1": (0.5, 1), "V2": (1.5, 4)},
        ),
        ("Planck spectrum", "w**3/(exp(w/T) - 1)", {"w": (0.5, 6), "T": (0.5, 3)}),
        ("Snell's angle", "asin(sin(a)/n)", {"a": (0.1, 1.5), "n": (1.1, 2.5)}),
        (
            "barometric pressure",
            "p*exp(-m*g*h/(8.314462618*T))",
            {"p": (90, 105), "m": (0.02, 0.04), "g": (9, 11), "h": (0, 9000), "T": (220, 310)},
        ),
        ("saturating spin", "N*m*tanh(m*B/T)", {"N": (1, 5), "m": (0.5, 2), "B": (0.1, 3), "T": (0.5, 3)}),
        (
            "beat of two tones",
            "A*(sin(w*t) + sin(v*t))",
            {"A": (1, 2), "w": (4, 6), "v": (3, 5), "t": (0, 5)},
        ),
        ("Gaussian beam profile", "I*exp(-2*r**2/w**2)", {"I": (1, 5), "r": (0, 2), "w": (0.5, 2)}),
    )
)
