"""Claims of 002, the thesis: chapter 3 on the Single Module Task, and what chapters 4 and 5 say about it."""

from __future__ import annotations

from collections.abc import Iterable

from nalm.studies.claims import Claim, Place
from nalm.studies.published_rate import PublishedRate
from nalm.studies.rules import (
    Beats,
    Best,
    CountOf,
    Every,
    FullEverywhere,
    NotBetter,
    SameRate,
    Tally,
    Varies,
    every,
    full,
    full_on,
    none,
    not_always,
    some_of,
)
from nalm.tasks.arithmetic import RANGES

ALL = tuple(RANGES)
NARROW = ("[-1.2, -1.1)", "[1.1, 1.2)")
WIDE = tuple(label for label in ALL if label not in NARROW)
NEGATIVE = ("[-20, -10)", "[-2, -1)", "[-1.2, -1.1)", "[-0.2, -0.1)")
LARGER = ("[-20, -10)", "[10, 20)")
ADDERS = ("NAC+", "NALU", "G-NALU", "iNALU", "NAU")
MULTIPLIERS = ("NAC•", "NALU", "G-NALU", "iNALU", "NMU", "NPU", "Real NPU")
DIVIDERS = ("NAC•", "NALU", "G-NALU", "iNALU", "NPU", "Real NPU")
"""The units that chapter 3 compares."""
BUILT_FOR = {"add": ADDERS, "sub": ADDERS, "mul": MULTIPLIERS, "div": DIVIDERS}


def at(unit: str, operation: str, label: str, inputs: int | None = None) -> Place:
    return Place("single-module", unit, operation, label, inputs)


def places(
    unit: str, operation: str, labels: Iterable[str] = ALL, inputs: int | None = None
) -> tuple[Place, ...]:
    return tuple(at(unit, operation, label, inputs) for label in labels)


def always(unit: str, operation: str, labels: Iterable[str] = ALL, threshold: str = "adaptive") -> Every:
    return Every(tuple(full(place, threshold=threshold) for place in places(unit, operation, labels)))


def never(unit: str, operation: str, labels: Iterable[str] = ALL) -> Every:
    return Every(tuple(none(place) for place in places(unit, operation, labels)))


def at_least(place: Place, share: float) -> SameRate:
    return SameRate(place, PublishedRate(share, ">=", "text", "adaptive", 25))


def pairs(
    first: str, second: str, operation: str, labels: Iterable[str] = ALL
) -> tuple[tuple[Place, Place], ...]:
    return tuple(zip(places(first, operation, labels), places(second, operation, labels), strict=True))


def not_better(second: str, first: str, operation: str) -> NotBetter:
    return NotBetter(pairs(first, second, operation))


CLAIMS = (
    Claim(
        "002-add-nau-full", "The NAU always learns addition, on all nine ranges.",
        "002 section 3.3.2, addition", always("NAU", "add"),
    ),
    Claim(
        "002-add-inalu-full", "The iNALU always learns addition, on all nine ranges.",
        "002 section 3.3.2, addition", always("iNALU", "add"),
    ),
    Claim(
        "002-add-inalu-slower", "On addition the iNALU is solved later than the NAU, on every range.",
        "002 section 3.3.2, addition",
        Every(tuple(Beats(at("NAU", "add", r), at("iNALU", "add", r), "solved_at") for r in ALL)),
    ),
    Claim(
        "002-add-inalu-sparsity", "On addition the iNALU's sparsity errors are larger than the NAU's.",
        "002 section 3.3.2, addition", Beats(places("NAU", "add"), places("iNALU", "add"), "sparsity_error"),
    ),
    Claim(
        "002-add-nalu-inconsistent",
        "The NALU does not always learn addition on U[0.1, 0.2), U[10, 20), U[−2, 2).",
        "002 section 3.3.2, addition",
        Every(tuple(not_always(at("NALU", "add", label)) for label in ("[0.1, 0.2)", "[10, 20)", "[-2, 2)"))),
    ),
    Claim(
        "002-add-nac-inconsistent", "The NAC+'s success at addition depends on the range.",
        "002 section 3.3.2, addition", Varies(places("NAC+", "add")),
    ),
    Claim(
        "002-add-gnalu-four", "The G-NALU learns addition at all on only 4 of the 9 ranges.",
        "002 section 3.3.2, addition", some_of(places("G-NALU", "add"), 4),
    ),
    Claim(
        "002-add-gnalu-worst", "Of all units the G-NALU is the worst at addition.",
        "002 section 3.3.2, addition",
        Best(
            tuple((unit, places(unit, "add")) for unit in ("G-NALU", "NAC+", "NALU", "iNALU", "NAU")),
            worst=True
        ),
    ),
    Claim(
        "002-sub-nau-full", "The NAU always learns subtraction, on all nine ranges.",
        "002 section 3.3.2, subtraction", always("NAU", "sub"),
    ),
    Claim(
        "002-sub-inalu-full",
        "The iNALU always learns subtraction on the seven ranges other than ±[1.1, 1.2).",
        "002 section 3.3.2, subtraction", always("iNALU", "sub", WIDE),
    ),
    Claim(
        "002-sub-inalu-narrow", "The iNALU learns subtraction in at least 40 % of runs on ±[1.1, 1.2).",
        "002 section 3.3.2, subtraction",
        Every(tuple(at_least(at("iNALU", "sub", label), 0.4) for label in NARROW)),
    ),
    Claim(
        "002-sub-inalu-slower", "On subtraction the iNALU is solved later than the NAU.",
        "002 section 3.3.2, subtraction", Beats(places("NAU", "sub"), places("iNALU", "sub"), "solved_at"),
    ),
    Claim(
        "002-sub-inalu-sparsity", "On subtraction the iNALU's sparsity errors are larger than the NAU's.",
        "002 section 3.3.2, subtraction",
        Beats(places("NAU", "sub"), places("iNALU", "sub"), "sparsity_error"),
    ),
    Claim(
        "002-sub-narrow-slow",
        "On ±[1.1, 1.2) the NAU needs longer for subtraction than on all other ranges.",
        "002 section 3.3.2, subtraction",
        Every(
            tuple(
                Beats(at("NAU", "sub", wide), at("NAU", "sub", narrow), "solved_at")
                for narrow in NARROW
                for wide in WIDE
            )
        ),
    ),
    Claim(
        "002-sub-narrow-double",
        "On ±[1.1, 1.2) the NAU needs over double the iterations for subtraction than on all other ranges.",
        "002 section 3.3.2, subtraction",
        Every(
            tuple(
                Beats(at("NAU", "sub", wide), at("NAU", "sub", narrow), "solved_at", factor=2)
                for narrow in NARROW
                for wide in WIDE
            )
        ),
    ),
    Claim(
        "002-sub-narrow-hard", "NAC+, NALU and G-NALU hardly ever learn subtraction on ±[1.1, 1.2).",
        "002 section 3.3.2, subtraction",
        Every(tuple(never(unit, "sub", NARROW) for unit in ("NAC+", "NALU", "G-NALU"))),
    ),
    Claim(
        "002-sub-nalu-harder",
        "On the ranges other than U[10, 20) the NALU learns subtraction less often than addition.",
        "002 section 3.3.2, subtraction",
        Beats(places("NALU", "add", ALL[:-1]), places("NALU", "sub", ALL[:-1])),
    ),
    Claim(
        "002-sub-nac-four", "The NAC+ succeeds at subtraction more often than the NALU on 4 of the 9 ranges.",
        "002 section 3.3.2, subtraction", Tally(pairs("NAC+", "NALU", "sub"), None, None, 4),
    ),
    Claim(
        "002-sub-gnalu", "On no range does the G-NALU beat the NALU at subtraction.",
        "002 section 3.3.2, subtraction", not_better("G-NALU", "NALU", "sub"),
    ),
    Claim(
        "002-mul-middle-range", "NMU, iNALU, NPU and Real NPU always learn multiplication on U[1, 2).",
        "002 section 3.3.2, multiplication",
        Every(tuple(full(at(unit, "mul", "[1, 2)")) for unit in ("NMU", "iNALU", "NPU", "Real NPU"))),
    ),
    Claim(
        "002-mul-nmu-negative",
        "The NMU does not always learn multiplication on U[−1.2, −1.1) and U[−2, −1).",
        "002 section 3.3.2, multiplication",
        Every(tuple(not_always(at("NMU", "mul", label)) for label in ("[-1.2, -1.1)", "[-2, -1)"))),
    ),
    Claim(
        "002-mul-npus-negative", "NPU and Real NPU do not always learn to multiply negative numbers.",
        "002 section 3.3.2, multiplication",
        Every(tuple(not_always(*places(unit, "mul", NEGATIVE)) for unit in ("NPU", "Real NPU"))),
    ),
    Claim(
        "002-mul-npu-same",
        "NPU and Real NPU multiply with the same success on all ranges but U[−2, 2).",
        "002 section 3.3.2, multiplication",
        NotBetter(
            pairs("Real NPU", "NPU", "mul", tuple(r for r in ALL if r != "[-2, 2)")), alike=True
        ),
    ),
    Claim(
        "002-mul-npu-imaginary", "On U[−2, 2) the NPU learns multiplication more often than the Real NPU.",
        "002 section 3.3.2, multiplication",
        Beats(at("NPU", "mul", "[-2, 2)"), at("Real NPU", "mul", "[-2, 2)")),
    ),
    Claim(
        "002-mul-nalu-never-full", "The NALU has full success at multiplication on no range.",
        "002 section 3.3.2, multiplication", full_on(places("NALU", "mul"), 0),
    ),
    Claim(
        "002-mul-nac-two", "The NAC• learns multiplication at all on only 2 of the 9 ranges.",
        "002 section 3.3.2, multiplication", some_of(places("NAC•", "mul"), 2),
    ),
    Claim(
        "002-mul-nac-nalu", "The NAC• multiplies with more success than the NALU on the 2 ranges it learns.",
        "002 section 3.3.2, multiplication", Tally(pairs("NAC•", "NALU", "mul"), None, None, 2),
    ),
    Claim(
        "002-mul-inalu-seven", "The iNALU multiplies with more success than the NALU on 7 ranges.",
        "002 section 3.3.2, multiplication", Tally(pairs("iNALU", "NALU", "mul"), None, None, 7),
    ),
    Claim(
        "002-mul-inalu-five", "The iNALU has full success at multiplication on 5 ranges.",
        "002 section 3.3.2, multiplication", full_on(places("iNALU", "mul"), 5),
    ),
    Claim(
        "002-mul-gnalu", "On no range does the G-NALU beat the NALU at multiplication.",
        "002 section 3.3.2, multiplication", not_better("G-NALU", "NALU", "mul"),
    ),
    Claim(
        "002-div-none-everywhere", "No unit of chapter 3 has full success at division on all ranges.",
        "002 section 3.3.2, division",
        Every(
            tuple(
                CountOf(places(unit, "div"), every, "full success", 8, at_most=True) for unit in DIVIDERS
            )
        ),
    ),
    Claim(
        "002-div-inalu-three", "The iNALU has full success at division on 3 of the 9 ranges.",
        "002 section 3.3.2, division", full_on(places("iNALU", "div"), 3),
    ),
    Claim(
        "002-div-inalu-only", "No other unit of chapter 3 has full success at division on any range.",
        "002 section 3.3.2, division",
        full_on(tuple(p for unit in DIVIDERS if unit != "iNALU" for p in places(unit, "div")), 0),
    ),
    Claim(
        "002-div-npu-middle-range", "NPU and Real NPU always learn division on U[1, 2).",
        "002 section 3.3.2, division",
        Every(tuple(full(at(unit, "div", "[1, 2)")) for unit in ("NPU", "Real NPU"))),
    ),
    Claim(
        "002-div-real-npu-negative", "On negative ranges the Real NPU divides more often than the NPU.",
        "002 section 3.3.2, division",
        Beats(places("Real NPU", "div", NEGATIVE), places("NPU", "div", NEGATIVE)),
    ),
    Claim(
        "002-div-nac-four", "The NAC• learns division at all on 4 of the 9 ranges.",
        "002 section 3.3.2, division", some_of(places("NAC•", "div"), 4),
    ),
    Claim(
        "002-div-nalu-never", "NALU and G-NALU never learn division.",
        "002 section 3.3.2, division",
        Every((never("NALU", "div"), never("G-NALU", "div"))),
    ),
    Claim(
        "002-full-three",
        "Full success on all ranges of an operation is had by the iNALU on addition and the NAU "
        "on addition and "
        "subtraction, and by nobody else.",
        "002 section 3.3.2, limits of full success",
        FullEverywhere(
            tuple((f"{unit} {op}", places(unit, op)) for op, units in BUILT_FOR.items() for unit in units),
            ("iNALU add", "NAU add", "NAU sub"),
        ),
    ),
    Claim(
        "002-redundant-nau-add",
        "With 8 redundant inputs the NAU no longer always learns addition on ±[1.1, 1.2).",
        "002 section 3.3.2, figure 3.6",
        Every(tuple(not_always(at("NAU", "add", r, 10)) for r in NARROW)),
    ),
    Claim(
        "002-redundant-nau-sub", "With 8 redundant inputs the NAU still always learns subtraction.",
        "002 section 3.3.2, figure 3.6",
        Every(tuple(full(at("NAU", "sub", r, 10)) for r in ALL)),
    ),
    Claim(
        "002-redundant-nau-sub-100", "With 98 redundant inputs the NAU fails at subtraction on ±[1.1, 1.2).",
        "002 section 3.3.2, figure 3.7",
        Every(tuple(not_always(at("NAU", "sub", r, 100)) for r in NARROW)),
    ),
    Claim(
        "002-redundant-inalu-add",
        "With 8 redundant inputs the iNALU learns addition more often on the larger ranges than "
        "on the others.",
        "002 section 3.3.2, figure 3.8",
        Best(
            (
                ("larger ranges", places("iNALU", "add", LARGER, 10)),
                ("others", places("iNALU", "add", tuple(r for r in ALL if r not in LARGER), 10)),
            )
        ),
    ),
    Claim(
        "002-mul-snmu-full", "The sNMU always learns multiplication, on all nine ranges.",
        "002 section 4.4, figure 4.4", always("sNMU", "mul", threshold="flat"),
    ),
)  # fmt: skip
