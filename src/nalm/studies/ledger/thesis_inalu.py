"""Claims of 002 appendices D.1 and D.2 on the iNALU paper's tasks, and on which unit is the best at what.

The thesis summarises papers whose settings it does not give: the verdicts are about our settings, and by
success. All rules were written after the tables of their runs had been seen.
"""

from __future__ import annotations

from nalm.studies.claims import Claim, Place
from nalm.studies.inalu_studies import DISTRIBUTIONS, MAGNITUDE, MINIMAL
from nalm.studies.rules import Alike, Beats, Every, Higher, some_of

TASKS, COMPARISON = "002 appendix D.1, after Schlör et al. 2020", "002 appendix D.2"
OPERATIONS = ("add", "sub", "mul", "div")
SUMS = ("add", "sub")
SMALL, LARGE = ("[0.01, 0.02)", "[0.1, 0.2)"), ("[10, 20)", "[100, 200)")
"""Magnitudes well below 1 and well above."""
EXPONENTIAL = tuple(name for name in DISTRIBUTIONS if name.startswith("exponential"))
WIDE = EXPONENTIAL[-1:]


def sizes(unit: str, operations: tuple[str, ...], labels: tuple[str, ...]) -> tuple[Place, ...]:
    """A unit by the magnitude of what it is trained on."""
    return tuple(
        Place(MAGNITUDE.name, unit, operation, label) for operation in operations for label in labels
    )


def among(
    inputs: int, unit: str, operations: tuple[str, ...], labels: tuple[str, ...] = tuple(DISTRIBUTIONS)
) -> tuple[Place, ...]:
    """A unit by the distribution of what it is trained on, among so many inputs."""
    return tuple(
        Place(MINIMAL.name, unit, operation, label, inputs) for operation in operations for label in labels
    )


def everywhere(unit: str, operations: tuple[str, ...]) -> tuple[Place, ...]:
    """A unit on all distributions, with two inputs and with ten."""
    return (*among(2, unit, operations), *among(10, unit, operations))


CLAIMS = (
    Claim(
        "002-d1-nalu-magnitude", "The NALU fails on magnitudes greater than 1.", TASKS,
        some_of(sizes("NALU", OPERATIONS, LARGE), 0),
    ),
    Claim(
        "002-d1-inalu-sums", "How large the numbers are makes no difference to the iNALU's + and −.", TASKS,
        Alike(sizes("iNALU", SUMS, SMALL), sizes("iNALU", SUMS, LARGE)),
    ),
    Claim(
        "002-d1-inalu-products", "The larger the numbers are, the worse does the iNALU multiply.", TASKS,
        Higher(sizes("iNALU", ("mul",), SMALL), sizes("iNALU", ("mul",), LARGE)),
    ),
    Claim(
        "002-d1-inalu-quotients", "How large the numbers are makes no difference to the iNALU's ÷.", TASKS,
        Alike(sizes("iNALU", ("div",), SMALL), sizes("iNALU", ("div",), LARGE)),
    ),
    Claim(
        "002-d1-nalu-redundancy",
        "On exponentially distributed numbers the NALU does better among redundant inputs.", TASKS,
        Beats(among(10, "NALU", OPERATIONS, EXPONENTIAL), among(2, "NALU", OPERATIONS, EXPONENTIAL)),
    ),
    Claim(
        "002-d1-inalu-redundancy-products",
        "Among redundant inputs the iNALU multiplies exponentially distributed numbers of scale 5, where it "
        "fails without them.", TASKS,
        Every(
            (
                some_of(among(2, "iNALU", ("mul",), WIDE), 0),
                some_of(among(10, "iNALU", ("mul",), WIDE), 1),
            )
        ),
    ),
    Claim(
        "002-d1-inalu-redundancy-quotients", "Among redundant inputs the iNALU divides worse.", TASKS,
        Beats(among(2, "iNALU", ("div",)), among(10, "iNALU", ("div",))),
    ),
    Claim(
        "002-d2-inalu", "The iNALU generally does better than the NALU.", COMPARISON,
        Beats(everywhere("iNALU", OPERATIONS), everywhere("NALU", OPERATIONS)),
    ),
    Claim(
        "002-d2-division", "At division iNALU and NALU are comparable.", COMPARISON,
        Alike(everywhere("iNALU", ("div",)), everywhere("NALU", ("div",))),
    ),
    Claim(
        "002-d2-nau", "At addition and subtraction the NAU is the best unit.", COMPARISON,
        Every(tuple(Beats(everywhere("NAU", SUMS), everywhere(unit, SUMS)) for unit in ("NALU", "iNALU"))),
    ),
    Claim(
        "002-d2-nmu", "At multiplication the NMU is the best unit.", COMPARISON,
        Every(
            tuple(
                Beats(everywhere("NMU", ("mul",)), everywhere(unit, ("mul",)))
                for unit in ("NALU", "iNALU", "Real NPU")
            )
        ),
    ),
    Claim(
        "002-d2-npu", "At division the Real NPU is the best unit.", COMPARISON,
        Every(
            tuple(
                Beats(everywhere("Real NPU", ("div",)), everywhere(unit, ("div",)))
                for unit in ("NALU", "iNALU")
            )
        ),
    ),
)  # fmt: skip
