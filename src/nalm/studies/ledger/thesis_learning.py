"""Claims of 002 section 1.4.1 on perceptrons, chapter 4 on noise, and chapter 6 on scaling and losses."""

from __future__ import annotations

from nalm.measuring.counts import sign_test
from nalm.measuring.starting_points import journeys
from nalm.studies.claims import Claim, Place
from nalm.studies.ledger.table_claims import curves
from nalm.studies.rules import (
    Beats,
    Computed,
    CountOf,
    Every,
    NotBetter,
    none,
    some,
    some_of,
)
from nalm.studies.rules.direction import Measure
from nalm.studies.scaling import SCALING, SCALINGS
from nalm.studies.stochastic_studies import NOISE_SCALES, TWO_LAYER_STOCHASTIC
from nalm.tasks.arithmetic import RANGES

ALL = tuple(RANGES)
HARD = ("[-2, -1)", "[-1.2, -1.1)")
"""Where the NMU does not always multiply."""


def at(study: str, unit: str, label: str = "[1, 2)", operation: str = "mul") -> Place:
    return Place(study, unit, operation, label)


def lossy(unit: str, loss: str, label: str) -> Place:
    return at("two-layer-loss", f"{unit}, {loss}", label)


def gated(value: str, label: str) -> Place:
    return at("stochastic-gates", f"stgNMU, λ = {value}", label)


def noisy(scale: float, label: str) -> Place:
    return at("gradient-noise", f"NMU, η = {scale:g}", label)


SPEED_AND_SPARSITY: tuple[tuple[str, str, Measure], ...] = (
    ("faster", "is solved earlier", "solved_at"),
    ("sparser", "is sparser", "sparsity_error"),
)
GRID = 0.1
"""Step of the grid of starting points; the published figure has one of 0.05, with the same shares."""


def _starting_points() -> tuple[bool, str]:
    """Whether the sNMU reaches the solution where the NMU does not more often than the other way round."""
    plain, noisy_ = (journeys(unit, GRID).success for unit in ("NMU", "sNMU"))
    p = sign_test(int((noisy_ & ~plain).sum()), int((plain & ~noisy_).sum()))
    failed = f"the NMU fails from {(~plain).sum()}, the sNMU from {(~noisy_).sum()}"
    return p < 0.05, f"of {len(plain)} starts {failed}; p = {p:.2g}"


SENTENCES = (
    Claim(
        "002-s1.4-perceptrons",
        "No perceptron with 1 or 100 hidden units extrapolates, but for one hidden unit on addition.",
        "002 section 1.4.1, figure 1.3",
        Every(
            tuple(
                none(at("perceptrons", unit, operation=operation))
                for unit in ("MLP (1)", "MLP (100)")
                for operation in ("add", "sub", "mul", "div")
                if (unit, operation) != ("MLP (1)", "add")
            )
        ),
    ),
    Claim(
        "002-s4.2-starting-points",
        "Learning −2 × −1.8 the NMU fails from more starting points than the sNMU.",
        "002 section 4.2, figure 4.3",
        Computed(_starting_points, "both are trained from a grid of starting points (sign test)"),
    ),
    Claim(
        "002-s4.4-gates",
        "With λ of 0.1 or less, stochastic gates help the NMU where it does not always multiply.",
        "002 section 4.4, figure 4.5",
        Every(
            tuple(
                Beats(gated(value, label), at("stochastic-gates", "NMU", label), threshold="flat")
                for value in ("0.01", "0.1")
                for label in HARD
            )
        ),
    ),
    Claim(
        "002-s4.4-gradient-noise", "Noise on the gradients helps the NMU on no range.",
        "002 section 4.4, figure 4.6",
        NotBetter(
            tuple(
                (at("gradient-noise", "NMU", label), noisy(scale, label))
                for scale in NOISE_SCALES
                for label in ALL
            )
        ),
    ),
    Claim(
        "002-s4.4-gradient-noise-slow", "Noise on the gradients makes the NMU slower.",
        "002 section 4.4, figure 4.6",
        Every(
            tuple(
                Beats(
                    tuple(at("gradient-noise", "NMU", label) for label in ALL),
                    tuple(noisy(scale, label) for label in ALL),
                    "solved_at",
                )
                for scale in NOISE_SCALES
            )
        ),
    ),
    Claim(
        "002-s4.4-strong-gradient-noise", "With η = 10 the NMU succeeds less often on U[−0.2, −0.1).",
        "002 section 4.4, figure 4.6",
        Beats(
            at("gradient-noise", "NMU", "[-0.2, -0.1)"), at("gradient-noise", "NMU, η = 10", "[-0.2, -0.1)")
        ),
    ),
    Claim(
        "002-s4.5-snmu-helps", "On products of sums on U[−2, 2) the sNMU succeeds more often than the NMU.",
        "002 section 4.5, figure 4.7",
        Beats(
            at("two-layer-stochastic", "sNMU U[1, 5]", "[-2, 2)"),
            at("two-layer-stochastic", "NMU", "[-2, 2)"),
            threshold="published",
        ),
    ),
    *(
        Claim(
            f"002-s4.5-{name}-hurts", f"On products of sums {what} costs the NMU success.",
            "002 section 4.5, figure 4.7",
            Beats(
                tuple(at("two-layer-stochastic", "NMU", label) for label in ALL),
                tuple(at("two-layer-stochastic", unit, label) for label in ALL),
                threshold="published",
            ),
        )
        for name, what, unit in (
            ("gates", "a stochastic gate", "stgNMU"),
            ("gradient-noise", "noise on the gradients", "NMU, gradient noise"),
        )
    ),
    *(
        Claim(
            f"002-s4.5-snmu-{name}", f"On products of sums the sNMU {what} than the NMU.",
            "002 section 4.5, figure 4.7",
            Beats(
                tuple(at("two-layer-stochastic", "sNMU U[1, 5]", label) for label in ALL),
                tuple(at("two-layer-stochastic", "NMU", label) for label in ALL),
                measure,
                "published",
            ),
        )
        for name, what, measure in SPEED_AND_SPARSITY
    ),
    Claim(
        "002-s4.5-small-noise",
        "On products of sums on U[−2, 2) noise from U[1, 5] is not beaten by noise below 1.",
        "002 section 4.5, figure 4.8",
        NotBetter(
            tuple(
                (
                    at("two-layer-stochastic", "sNMU U[1, 5]", "[-2, 2)"),
                    at("two-layer-stochastic", other, "[-2, 2)"),
                )
                for other in ("sNMU U[0.01, 0.05]", "sNMU U[0.1, 0.5]")
            ),
            threshold="published",
        ),
    ),
    Claim(
        "002-s6.1-scaling", "On scaled features the NMU never learns to multiply, on no range.",
        "002 section 6.1, figure 6.1",
        some_of(
            tuple(
                at("scaling", cell.unit, cell.label)
                for cell in SCALING.cells
                if cell.unit.startswith(tuple(SCALINGS))
            ),
            0,
        ),
    ),
    Claim(
        "002-s6.3-mape", "With the MAPE neither NMU nor sNMU ever learns products of sums.",
        "002 section 6.3.1, figures 6.2 and 6.3",
        some_of(tuple(lossy(unit, "MAPE", label) for unit in ("NMU", "sNMU") for label in ALL), 0),
    ),
    Claim(
        "002-s6.3-pcc-mse", "With the PCC-MSE the NMU learns products of sums on all nine ranges.",
        "002 section 6.3.1, figure 6.2",
        some_of(tuple(lossy("NMU", "PCC-MSE", label) for label in ALL), 9),
    ),
    Claim(
        "002-s6.3-pcc-mse-only", "With no other loss does the NMU learn products of sums on all nine ranges.",
        "002 section 6.3.1, figure 6.2",
        Every(
            tuple(
                CountOf(
                    tuple(lossy("NMU", loss, label) for label in ALL), some, "a success rate above 0", 8, True
                )
                for loss in ("MSE", "PCC", "MAPE")
            )
        ),
    ),
    *(
        Claim(
            f"002-s6.3-{loss.casefold()}-effective",
            f"With the {loss} the NMU learns products of sums more often than with the MSE.",
            "002 sections 6.3.1 and 6.3.4, figure 6.2",
            Beats(
                tuple(lossy("NMU", loss, label) for label in ALL),
                tuple(lossy("NMU", "MSE", label) for label in ALL),
            ),
        )
        for loss in ("PCC", "PCC-MSE")
    ),
    Claim(
        "002-s6.3-pcc-not-sparse",
        "Weights learnt with the PCC alone are less discrete than those of the MSE.",
        "002 section 6.3.1, figure 6.2",
        Beats(
            tuple(lossy("NMU", "MSE", label) for label in ALL),
            tuple(lossy("NMU", "PCC", label) for label in ALL),
            "sparsity_error",
        ),
    ),
    *(
        Claim(
            f"002-s6.3-snmu-{loss.casefold()}",
            f"With the {loss} the NMU learns products of sums more often than the sNMU.",
            "002 section 6.3.1, figures 6.2 and 6.3",
            Beats(
                tuple(lossy("NMU", loss, label) for label in ALL),
                tuple(lossy("sNMU", loss, label) for label in ALL),
            ),
        )
        for loss in ("PCC", "PCC-MSE")
    ),
)  # fmt: skip

CURVES = curves(TWO_LAYER_STOCHASTIC, lambda cell: "002-f4.7", "", lambda cell: "")
CLAIMS = (*CURVES, *SENTENCES)
