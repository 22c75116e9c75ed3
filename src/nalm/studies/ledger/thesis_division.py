"""Claims of 002 chapter 5 on what the dividing units do, and of section 6.3.3 on their losses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nalm.studies.claims import Claim, Place
from nalm.studies.division_small import EXACT
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
    every,
    never,
    places,
    share,
)
from nalm.studies.ledger.tables import slug
from nalm.studies.published import published
from nalm.studies.rules import Beats, CountOf, Every, full, none
from nalm.studies.rules_pooled import Pooled
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
            yield Claim(
                f"002-t5.6-{inputs}-{slug(str(row.record_unit))}-{slug(setting)}",
                f"{row.record_unit} on {setting}, {study}: {row.value:.0%} of all runs succeed.",
                str(row.source),
                Pooled(cells, float(row.value), "gold" if near_zero else "flat"),
            )


SENTENCES = (
    Claim(
        "002-s5.5-nru-nmru-full", "With two inputs NRU and NMRU always divide, on all nine ranges.",
        "002 section 5.5, figure 5.6", Every((always("NRU", ALL), always("NMRU", ALL))),
    ),
    Claim(
        "002-s5.5-modified", "With two inputs the modified Real NPU fails on U[−2, 2) only.",
        "002 section 5.5, figure 5.6", CountOf(places(MODIFIED, ALL), every, "full success", 8),
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
                Beats(at("NMRU", "[-2, 2)", "division-redundant"), at(unit, "[-2, 2)", "division-redundant"))
                for unit in ("Real NPU", MODIFIED, "NRU")
            )
        ),
    ),
    Claim(
        "002-s5.6-real-npu-gains",
        "On mixed signs other than U[−2, 2) the modified Real NPU does better among redundant inputs.",
        "002 section 5.6, figures 5.8 and 5.9, as the code places the signs (D29)",
        Every(
            tuple(
                Beats(at(MODIFIED, label, "division-redundant"), at(MODIFIED, label))
                for label in MIXED
                if label != "mixed signs 3"
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
                Beats(at(MODIFIED, printed, "division-redundant"), at(MODIFIED, label))
                for label, printed in zip(MIXED, PRINTED, strict=True)
                if label != "mixed signs 3"
            )
        ),
    ),
    Claim(
        "002-s5.6-nru-nmru-full", "With two inputs NRU and NMRU always divide mixed signs.",
        "002 section 5.6, figure 5.8", Every((always("NRU", MIXED), always("NMRU", MIXED))),
    ),
    Claim(
        "002-s5.6-modified-adaptive",
        "With two inputs the modified Real NPU divides mixed signs in 44 % of all runs, judged by the error "
        "of a unit whose weights are off by 10⁻⁵.",
        "002 table 5.6, with the thresholds of section 3.3.1 (D20)",
        Pooled(places(MODIFIED, MIXED), 0.44, "adaptive"),
    ),
    Claim(
        "002-s5.7-modified-uniform",
        "With two inputs the modified Real NPU divides on U[−100, 100) in 72 % and on U[−50, 50) in 76 %.",
        "002 section 5.7", Every((share(MODIFIED, LARGE[0], 0.72), share(MODIFIED, LARGE[1], 0.76))),
    ),
    Claim(
        "002-s5.7-redundant-uniform", "With redundant inputs no unit ever divides on the two large ranges.",
        "002 section 5.7",
        Every(tuple(never(unit, LARGE, "division-redundant") for unit in (MODIFIED, "NRU", "NMRU"))),
    ),
    Claim(
        "002-s5.7-modified-normals",
        "With two inputs the modified Real NPU divides truncated normals in 48 %, 8 % and 64 % of runs.",
        "002 section 5.7",
        Every(
            tuple(
                share(MODIFIED, label, value)
                for label, value in zip(NORMALS, (0.48, 0.08, 0.64), strict=True)
            )
        ),
    ),
    Claim(
        "002-s5.7-modified-normals-adaptive",
        "The same of the modified Real NPU on truncated normals, judged by the error of a unit whose weights "
        "are off by 10⁻⁵.",
        "002 section 5.7, with the thresholds of section 3.3.1 (D20)",
        Every(
            tuple(
                share(MODIFIED, label, value, threshold="adaptive")
                for label, value in zip(NORMALS, (0.48, 0.08, 0.64), strict=True)
            )
        ),
    ),
    Claim(
        "002-s5.7-nmru-normals",
        "With redundant inputs the NMRU divides truncated normals in 48 %, 4 % and 92 % of runs.",
        "002 section 5.7",
        Every(
            tuple(
                share("NMRU", label, value, "division-redundant")
                for label, value in zip(NORMALS, (0.48, 0.04, 0.92), strict=True)
            )
        ),
    ),
    Claim(
        "002-s5.8-easy", "1/a alone is always learnt down to [0, 10⁻³), by all three units.",
        "002 section 5.8.2, figure 5.13",
        Every(
            tuple(
                full(Place("division-small", unit, "reciprocal", f"easy [0, {end:g})"), threshold="gold")
                for unit in (MODIFIED, "NRU", "NMRU")
                for end in SMALL[1:]
            )
        ),
    ),
    Claim(
        "002-s5.8-medium",
        "Beside a redundant input on [0, 1), the NMRU learns 1/a more often than the other two.",
        "002 section 5.8.2, figure 5.14",
        Every(
            tuple(
                Beats(
                    Place("division-small", "NMRU", "reciprocal", "medium [0, 1)"),
                    Place("division-small", other, "reciprocal", "medium [0, 1)"),
                )
                for other in (MODIFIED, "NRU")
            )
        ),
    ),
    Claim(
        "002-s5.8-false-positives",
        "1/a beside b on [0, 10⁻⁴): the Real NPU's successes are due to its ε, without it there are none.",
        "002 section 5.8.2, figure 5.14",
        none(Place("division-small", EXACT, "reciprocal", "medium [0, 0.0001)"), threshold="gold"),
    ),
)  # fmt: skip

CLAIMS = (*_table_5_6(), *SENTENCES)
