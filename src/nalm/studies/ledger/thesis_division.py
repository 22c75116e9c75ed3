"""Claims of 002 chapter 5 on what the dividing units do, and of section 6.3.3 on their losses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from nalm.studies.claims import Claim, DecidedBy, Place
from nalm.studies.ledger.division_places import (
    ALL,
    LARGE,
    MIXED,
    MODIFIED,
    NEGATIVE,
    NORMALS,
    POSITIVE,
    PRINTED,
    always,
    at,
    better,
    fails,
    never,
    places,
    shares,
)
from nalm.studies.ledger.table_claims import slug
from nalm.studies.published import published
from nalm.studies.rules import (
    Beats,
    ByThreshold,
    CountOf,
    Every,
    Pooled,
    every,
    full_on,
)
from nalm.studies.rules.direction import Measure
from nalm.tasks.division import SMALL

GROUPS = {
    "mixed-signs; uniform": MIXED,
    "mixed-signs; truncated normal": NORMALS,
    "negative; uniform": NEGATIVE,
    "positive; uniform": POSITIVE,
    "large magnitude; uniform": LARGE,
    "large magnitude; Benford": ("Benford[10, 100)",),
    "close to 0; TN(0,1)[-5,5)": ("TN(0, 1)[-5, 5]",),
    "close to 0; uniform, five ranges from 0": tuple(f"hard [0, {end:g})" for end in SMALL),
}
"""Row of 002 table 5.6 to the cells it averages (002 table E.7)."""


def _table_5_6() -> Iterable[Claim]:
    for study in ("division", "division-redundant"):
        rows: Iterable[Any] = published(study, metric="success").itertuples()
        for row in rows:
            setting = str(row.setting)
            labels = GROUPS[setting]
            near_zero = labels[0].startswith("hard")
            cells = places(str(row.record_unit), labels, "division-small" if near_zero else study)
            inputs = "2" if study == "division" else "10"
            value = float(row.value)
            rule: DecidedBy = Pooled(cells, value, "gold" if near_zero else "flat")
            if near_zero:
                rule = ByThreshold(_entry(cells, value), "gold", "gold without leeway")
            elif (study, str(row.record_unit), setting) == ("division", MODIFIED, "mixed-signs; uniform"):
                rule = ByThreshold(_entry(cells, value))
            yield Claim(
                f"002-t5.6-{inputs}-{slug(str(row.record_unit))}-{slug(setting)}",
                f"{row.record_unit} on {setting}, {study}: {row.value:.0%} of all runs succeed.",
                str(row.source),
                rule,
            )


def _entry(cells: tuple[Place, ...], value: float) -> Callable[[str], DecidedBy]:
    return lambda threshold: Pooled(cells, value, threshold)


MEASURES: tuple[tuple[str, str, Measure], ...] = (
    ("success", "divides more often", "success"),
    ("speed", "is solved earlier", "solved_at"),
    ("sparsity", "is sparser", "sparsity_error"),
)
OTHER_MIXED = tuple(label for label in MIXED if label != "mixed signs 3")

SENTENCES = (
    Claim(
        "002-s5.5-nru-nmru-full", "With two inputs NRU and NMRU always divide, on all nine ranges.",
        "002 section 5.5, figure 5.6", Every((always("NRU", ALL), always("NMRU", ALL))),
    ),
    Claim(
        "002-s5.5-baseline", "With two inputs the Real NPU without modifications has full "
        "success on no range.",
        "002 section 5.5, figure 5.6", full_on(places("Real NPU", ALL), 0, "flat"),
    ),
    Claim(
        "002-s5.5-modified", "With two inputs the modified Real NPU fails on U[−2, 2) only.",
        "002 section 5.5, figure 5.6", full_on(places(MODIFIED, ALL), 8, "flat"),
    ),
    Claim(
        "002-s5.5-redundant-failures", "With redundant inputs no unit has full success on all nine ranges.",
        "002 section 5.5, figure 5.7",
        Every(
            tuple(
                CountOf(
                    places(unit, ALL, "division-redundant"), every, "full success", 8, True, "flat"
                )
                for unit in ("Real NPU", MODIFIED, "NRU", "NMRU")
            )
        ),
    ),
    *(
        Claim(
            f"002-s5.5-modified-{name}",
            f"With redundant inputs the modified Real NPU {what} than the one without modifications.",
            "002 section 5.5, figure 5.7", better("division-redundant", MODIFIED, "Real NPU", ALL, measure),
        )
        for name, what, measure in MEASURES
    ),
    Claim(
        "002-s5.5-baseline-sparsity",
        "With redundant inputs the Real NPU without modifications has larger sparsity errors "
        "than NRU and NMRU.",
        "002 section 5.5, figure 5.7",
        Every(
            tuple(
                better("division-redundant", unit, "Real NPU", ALL, "sparsity_error")
                for unit in ("NRU", "NMRU")
            )
        ),
    ),
    Claim(
        "002-s5.5-nru-redundant", "With redundant inputs the NRU never divides on negative ranges.",
        "002 section 5.5, figure 5.7", never("NRU", NEGATIVE, "division-redundant"),
    ),
    Claim(
        "002-s5.5-nmru-mixed", "With redundant inputs only the NMRU divides on U[−2, 2).",
        "002 section 5.5, figure 5.7",
        Every(
            tuple(
                better("division-redundant", "NMRU", unit, ("[-2, 2)",))
                for unit in ("Real NPU", MODIFIED, "NRU")
            )
        ),
    ),
    Claim(
        "002-s5.5-nmru-negative",
        "With redundant inputs the modified Real NPU divides negative ranges more often than the NMRU.",
        "002 section 5.5, figure 5.7", better("division-redundant", MODIFIED, "NMRU", NEGATIVE),
    ),
    Claim(
        "002-s5.6-real-npu-struggles", "With two inputs the modified Real NPU does not always "
        "divide mixed signs.",
        "002 section 5.6, figure 5.8", fails(MODIFIED, MIXED),
    ),
    Claim(
        "002-s5.6-denominator",
        "With two inputs a positive denominator is learnt faster by the modified Real NPU than a "
        "negative one.",
        "002 section 5.6, figure 5.8",
        Beats(
            places(MODIFIED, ("mixed signs 1", "mixed signs 2")),
            places(MODIFIED, ("mixed signs 4", "mixed signs 5")),
            "solved_at",
            "flat",
        ),
    ),
    Claim(
        "002-s5.6-real-npu-gains",
        "On mixed signs other than U[−2, 2) the modified Real NPU does better among redundant inputs.",
        "002 section 5.6, figures 5.8 and 5.9, as the code places the signs (D29)",
        Every(
            tuple(
                Beats(at(MODIFIED, label, "division-redundant"), at(MODIFIED, label), threshold="flat")
                for label in OTHER_MIXED
            )
        ),
    ),
    Claim(
        "002-s5.6-real-npu-gains-printed",
        "On mixed signs other than U[−2, 2), where the operands differ in sign for every seed, the modified "
        "Real NPU does better among redundant inputs.",
        "002 section 5.6, table 5.2, as printed (D29)",
        Every(
            tuple(
                Beats(at(MODIFIED, printed, "division-redundant"), at(MODIFIED, label), threshold="flat")
                for label, printed in zip(MIXED, PRINTED, strict=True)
                if label in OTHER_MIXED
            )
        ),
    ),
    Claim(
        "002-s5.6-nru-nmru-full", "With two inputs NRU and NMRU always divide mixed signs.",
        "002 section 5.6, figure 5.8", Every((always("NRU", MIXED), always("NMRU", MIXED))),
    ),
    Claim(
        "002-s5.6-nru-redundant", "With redundant inputs the NRU never divides mixed signs.",
        "002 section 5.6, figure 5.9", never("NRU", MIXED, "division-redundant"),
    ),
    Claim(
        "002-s5.7-uniform-full", "With two inputs NRU and NMRU always divide on the two large ranges.",
        "002 section 5.7", Every((always("NRU", LARGE), always("NMRU", LARGE))),
    ),
    Claim(
        "002-s5.7-modified-uniform",
        "With two inputs the modified Real NPU divides on U[−100, 100) in 72 % and on U[−50, 50) in 76 %.",
        "002 section 5.7", shares(MODIFIED, LARGE, (0.72, 0.76)),
    ),
    Claim(
        "002-s5.7-redundant-uniform", "With redundant inputs no unit ever divides on the two large ranges.",
        "002 section 5.7",
        Every(tuple(never(unit, LARGE, "division-redundant") for unit in (MODIFIED, "NRU", "NMRU"))),
    ),
    Claim(
        "002-s5.7-benford", "With two inputs all units always divide numbers of Benford's law.",
        "002 section 5.7",
        Every(tuple(always(unit, ("Benford[10, 100)",)) for unit in (MODIFIED, "NRU", "NMRU"))),
    ),
    Claim(
        "002-s5.7-normals-full", "With two inputs NRU and NMRU always divide truncated normals.",
        "002 section 5.7", Every((always("NRU", NORMALS), always("NMRU", NORMALS))),
    ),
    Claim(
        "002-s5.7-modified-normals",
        "With two inputs the modified Real NPU divides truncated normals in 48 %, 8 % and 64 % of runs.",
        "002 section 5.7 (D20)",
        ByThreshold(lambda threshold: shares(MODIFIED, NORMALS, (0.48, 0.08, 0.64), threshold=threshold)),
    ),
    Claim(
        "002-s5.7-normals-redundant", "With redundant inputs NRU and modified Real NPU never "
        "divide truncated normals.",
        "002 section 5.7",
        Every(tuple(never(unit, NORMALS, "division-redundant") for unit in (MODIFIED, "NRU"))),
    ),
    Claim(
        "002-s5.7-nmru-normals",
        "With redundant inputs the NMRU divides truncated normals in 48 %, 4 % and 92 % of runs.",
        "002 section 5.7", shares("NMRU", NORMALS, (0.48, 0.04, 0.92), "division-redundant"),
    ),
    Claim(
        "002-s5.7-nmru-skew",
        "With redundant inputs the NMRU divides normals of mean ±1 more often than those of mean 0.",
        "002 section 5.7",
        Every(
            tuple(
                Beats(
                    at("NMRU", skewed, "division-redundant"),
                    at("NMRU", NORMALS[1], "division-redundant"),
                    threshold="flat",
                )
                for skewed in (NORMALS[0], NORMALS[2])
            )
        ),
    ),
)  # fmt: skip

CLAIMS = (*_table_5_6(), *SENTENCES)
