"""Claims of 002 section 1.4.1 on perceptrons, chapter 4 on noise, and chapter 6 on scaling and losses."""

from __future__ import annotations

from nalm.studies.claims import Claim, Place
from nalm.studies.ledger.tables import table
from nalm.studies.rules import Beats, CountOf, Every, NotBeaten, Untestable, full, none
from nalm.studies.scaling import SCALING, SCALINGS
from nalm.studies.stochastic import NOISE_SCALES, TWO_LAYER_STOCHASTIC
from nalm.tasks.arithmetic import RANGES

ALL = tuple(RANGES)
HARD = ("[-2, -1)", "[-1.2, -1.1)")
"""Where the NMU does not always multiply."""


def at(study: str, unit: str, label: str = "[1, 2)", operation: str = "mul") -> Place:
    return Place(study, unit, operation, label)


def gated(value: str, label: str) -> Place:
    return at("stochastic-gates", f"stgNMU, λ = {value}", label)


def noisy(scale: float, label: str) -> Place:
    return at("gradient-noise", f"NMU, η = {scale:g}", label)


def some(rate: float) -> bool:
    return rate > 0


def every(rate: float) -> bool:
    return rate == 1


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
        Untestable("no stored run decides it: `nalm plot starting-points` computes and draws both"),
    ),
    Claim(
        "002-s4.4-gates",
        "With λ of 0.1 or less, stochastic gates always multiply where the NMU does not.",
        "002 section 4.4, figure 4.5",
        # Not that one beats the other: the intervals of 20 and of 25 in 25 overlap.
        Every(
            (
                *(full(gated(value, label), threshold="flat") for value in ("0.01", "0.1") for label in HARD),
                CountOf(
                    tuple(at("stochastic-gates", "NMU", label) for label in HARD), every, "full success", 0
                ),
            )
        ),
    ),
    Claim(
        "002-s4.4-gradient-noise", "Noise on the gradients helps the NMU on no range.",
        "002 section 4.4, figure 4.6",
        Every(
            tuple(
                NotBeaten(
                    tuple((at("gradient-noise", "NMU", label), noisy(scale, label)) for label in ALL)
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
        "002-s4.5-small-noise",
        "On products of sums on U[−2, 2) noise from U[1, 5] is not beaten by noise below 1.",
        "002 section 4.5, figure 4.8",
        NotBeaten(
            tuple(
                (at("two-layer-stochastic", "sNMU U[1, 5]", label), at("two-layer-stochastic", other, label))
                for other in ("sNMU U[0.01, 0.05]", "sNMU U[0.1, 0.5]")
                for label in ("[-2, 2)",)
            )
        ),
    ),
    Claim(
        "002-s6.1-scaling", "On scaled features the NMU never learns to multiply, on no range.",
        "002 section 6.1, figure 6.1",
        CountOf(
            tuple(
                at("scaling", cell.unit, cell.label)
                for cell in SCALING.cells
                if cell.unit.startswith(tuple(SCALINGS))
            ),
            some,
            "a success rate above 0",
            0,
        ),
    ),
    Claim(
        "002-s6.3-mape", "With the MAPE neither NMU nor sNMU ever learns products of sums.",
        "002 section 6.3.1, figures 6.2 and 6.3",
        CountOf(
            tuple(
                at("two-layer-loss", f"{unit}, MAPE", label) for unit in ("NMU", "sNMU") for label in ALL
            ),
            some,
            "a success rate above 0",
            0,
        ),
    ),
    Claim(
        "002-s6.3-pcc-mse", "With the PCC-MSE the NMU learns products of sums on all nine ranges.",
        "002 section 6.3.1, figure 6.2",
        CountOf(
            tuple(at("two-layer-loss", "NMU, PCC-MSE", label) for label in ALL),
            some,
            "a success rate above 0",
            9,
        ),
    ),
)  # fmt: skip

CLAIMS = (*table(TWO_LAYER_STOCHASTIC, lambda cell: "002-f4.7", several=True), *SENTENCES)
