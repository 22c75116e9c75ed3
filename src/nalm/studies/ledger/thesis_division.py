"""Claims of 002 chapter 5 and appendix G on division, and of section 6.3.3 on its losses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nalm.studies.claims import Claim, Place
from nalm.studies.comparison import PublishedRate
from nalm.studies.division_small import EXACT
from nalm.studies.ledger.tables import slug
from nalm.studies.published import published
from nalm.studies.rules import Beats, CountOf, Every, NotBeaten, Rate, full, none
from nalm.studies.rules_pooled import Pooled
from nalm.studies.rules_tally import Tally
from nalm.tasks.arithmetic import RANGES
from nalm.tasks.division import DISTRIBUTIONS, MIXED_SIGNS, SMALL

ALL = tuple(RANGES)
NEGATIVE = ("[-20, -10)", "[-2, -1)", "[-1.2, -1.1)", "[-0.2, -0.1)")
POSITIVE = ("[0.1, 0.2)", "[1, 2)", "[1.1, 1.2)", "[10, 20)")
WIDE = tuple(label for label in ALL if label not in ("[-1.2, -1.1)", "[1.1, 1.2)"))
NORMALS = tuple(label for label in DISTRIBUTIONS if label.startswith("TN"))
LARGE = ("U[-100, 100)", "U[-50, 50)")
MIXED = tuple(f"mixed signs {dataset}" for dataset in MIXED_SIGNS)
PRINTED = tuple(f"{label}, as printed" for label in MIXED)
MODIFIED = "Real NPU (modified)"

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


def at(unit: str, label: str, study: str = "division") -> Place:
    return Place(study, unit, "div", label)


def places(unit: str, labels: Iterable[str], study: str = "division") -> tuple[Place, ...]:
    return tuple(at(unit, label, study) for label in labels)


def always(unit: str, labels: Iterable[str], study: str = "division") -> Every:
    return Every(tuple(full(place, threshold="flat") for place in places(unit, labels, study)))


def never(unit: str, labels: Iterable[str], study: str = "division") -> Every:
    return Every(tuple(none(place, threshold="flat") for place in places(unit, labels, study)))


def share(unit: str, label: str, value: float, study: str = "division", threshold: str = "flat") -> Rate:
    return Rate(at(unit, label, study), PublishedRate(value, "=", "text", threshold, 25))


def every(rate: float) -> bool:
    return rate == 1


def some(rate: float) -> bool:
    return rate > 0


def _pairs(
    study: str, first: str, second: str, labels: Iterable[str] = ALL
) -> tuple[tuple[Place, Place], ...]:
    return tuple(zip(places(first, labels, study), places(second, labels, study), strict=True))


def _not_beaten(study: str, first: str, second: str, labels: Iterable[str] = ALL) -> NotBeaten:
    return NotBeaten(_pairs(study, first, second, labels))


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
        "002-s5.4-l1-needed", "Without L1 the Real NPU improves on no range but ±[1.1, 1.2).",
        "002 section 5.4, figure 5.4a", _not_beaten("real-npu-norm", "L1", "no penalty", WIDE),
    ),
    Claim(
        "002-s5.4-l1-strength",
        "L1 from 10⁻⁹ to 10⁻⁷ is beaten on no range by a stronger one from 10⁻³ on.",
        "002 section 5.4, figure 5.4b",
        Every(
            tuple(
                _not_beaten("real-npu-norm-strength", "L1 1e-09 to 1e-07", other)
                for other in ("L1 0.001 to 0.1", "L1 0.1 to 10")
            )
        ),
    ),
    Claim(
        "002-s5.4-clipping", "Clipping exponents and gates is beaten by no clipping on no range.",
        "002 section 5.4, figure 5.5a", _not_beaten("real-npu-clipping", "clip wg", "no clipping"),
    ),
    *(
        Claim(
            f"002-s5.4-clipping-mixed-{threshold}",
            f"On U[−2, 2) the Real NPU always fails, whatever is clipped ({threshold} threshold).",
            "002 section 5.4, figure 5.5a (D20)",
            Every(
                tuple(
                    none(at(unit, "[-2, 2)", "real-npu-clipping"), threshold=threshold)
                    for unit in ("no clipping", "clip g", "clip w", "clip wg")
                )
            ),
        )
        for threshold in ("flat", "adaptive")
    ),
    Claim(
        "002-s5.4-discretisation", "Discretising both parts is beaten by not discretising on no range.",
        "002 section 5.4, figure 5.5b",
        _not_beaten("real-npu-discretisation", "discretise wg", "no discretisation"),
    ),
    Claim(
        "002-s5.4-initialisation", "The constrained start is beaten by Xavier's on no range.",
        "002 section 5.4, figure 5.5c", _not_beaten("real-npu-initialisation", "constrained", "Xavier"),
    ),
    *(
        Claim(
            f"002-s5.4-l1-counts-{threshold}",
            f"Without L1 the Real NPU does worse on five ranges and better on two ({threshold} threshold).",
            "002 section 5.4, figure 5.4a (D20)",
            Tally(_pairs("real-npu-norm", "no penalty", "L1"), 5, 2, 2, threshold),
        )
        for threshold in ("flat", "adaptive")
    ),
    *(
        Claim(
            f"002-g3-l2-counts-{threshold}",
            f"L2 does worse than L1 on five ranges and the same on four ({threshold} threshold).",
            "002 appendix G.3, figure G.2 (D20)",
            Tally(_pairs("real-npu-norm", "L2", "L1"), 5, 4, 0, threshold),
        )
        for threshold in ("flat", "adaptive")
    ),
    Claim(
        "002-g3-l2", "L2 beats L1 on no range.",
        "002 appendix G.3, figure G.2", _not_beaten("real-npu-norm", "L1", "L2"),
    ),
    Claim(
        "002-g3-learning-rate", "For the modified Real NPU no learning rate beats 5·10⁻³ on any range.",
        "002 appendix G.3, figure G.3",
        Every(
            tuple(
                _not_beaten("real-npu-learning-rate", "lr 0.005", f"lr {rate}")
                for rate in ("0.0005", "0.05", "0.5")
            )
        ),
    ),
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
        "The same where the operands differ in sign for every seed.",
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
        "The same, judged by the error of a unit whose weights are off by 10⁻⁵.",
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
    Claim(
        "002-s5.9-exponents", "Exponents that may be 0 as well as ±1 do no harm on any range.",
        "002 section 5.9, figure 5.16", _not_beaten("real-npu-exponents", "{-1, 0, 1}", "{-1, 1}"),
    ),
    Claim(
        "002-g1-tanh-scale", "No tanh scale beats 1000 on any range.",
        "002 appendix G.2, figure G.1",
        Every(tuple(_not_beaten("nru-tanh-scale", "scale 1000", f"scale {s}") for s in ("1", "10", "100"))),
    ),
    Claim(
        "002-g4-nru-rate", "With a learning rate of 1 the NRU always divides two numbers.",
        "002 appendix G.4, figure G.4", always("lr 1", ALL, "nru-learning-rate"),
    ),
    Claim(
        "002-g5-complex", "Imaginary exponents, projected and pulled to 0, help on no range.",
        "002 appendix G.5, figure G.5", _not_beaten("npu-complex", MODIFIED, "NPU (clip and reg)"),
    ),
    Claim(
        "002-g6-both", "With sign and clipped gradients the NMRU is beaten on no range by it without either.",
        "002 appendix G.6, figure G.6", _not_beaten("nmru-ablation", "gnc + sign", "neither"),
    ),
    Claim(
        "002-g6-gnc-mixed", "Clipped gradients alone always solve U[−2, 2).",
        "002 appendix G.6, figure G.6", always("gnc", ("[-2, 2)",), "nmru-ablation"),
    ),
    Claim(
        "002-g6-gating", "Gating does not help the NMRU on any range.",
        "002 appendix G.6, figure G.6", _not_beaten("nmru-ablation", "gnc + sign", "gnc + sign + gating"),
    ),
    Claim(
        "002-g7-low", "A learning rate of 10⁻³ is too low for the NMRU on U[−2, 2).",
        "002 appendix G.6, figure G.7",
        Beats(
            at("lr 0.01", "[-2, 2)", "nmru-learning-rate"), at("lr 0.001", "[-2, 2)", "nmru-learning-rate")
        ),
    ),
    Claim(
        "002-g7-high", "A learning rate of 0.1 is too high for the NMRU: on several ranges it never divides.",
        "002 appendix G.6, figure G.7",
        CountOf(
            places("lr 0.1", ALL, "nmru-learning-rate"), some, "a success rate above 0", 7, at_most=True
        ),
    ),
    Claim(
        "002-g8-adam", "SGD beats Adam on no range.",
        "002 appendix G.6, figure G.8", _not_beaten("nmru-optimiser", "Adam", "SGD"),
    ),
    Claim(
        "002-g9-sign", "Computing the sign apart changes nothing for the NRU.",
        "002 appendix G.7, figure G.9",
        Every(
            (
                _not_beaten("nru-sign", "NRU", "NRU (separate sign)"),
                _not_beaten("nru-sign", "NRU (separate sign)", "NRU"),
            )
        ),
    ),
    Claim(
        "002-s6.3-real-npu-mixed",
        "On U[−2, 2) the Real NPU succeeds with PCC, PCC-MSE and MAPE more often than with MSE.",
        "002 section 6.3.3, figure 6.6",
        Every(
            tuple(
                Beats(
                    at(f"{MODIFIED}, {loss}", "[-2, 2)", "division-loss"),
                    at(f"{MODIFIED}, MSE", "[-2, 2)", "division-loss"),
                )
                for loss in ("PCC", "PCC-MSE", "MAPE")
            )
        ),
    ),
)  # fmt: skip

CLAIMS = (*_table_5_6(), *SENTENCES)
