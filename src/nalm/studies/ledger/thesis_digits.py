"""Claims of 002 on handwritten digits: sections 4.6, 5.10 and 6.3.2, appendices F and G.8.

Accuracies are means over folds. Those of table 5.5 and table G.1 have published standard errors; where there
is none, the published folds are taken to vary as ours do.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nalm.studies.claims import Claim, Place
from nalm.studies.digit_pairs import COLOUR_PRODUCT, TWO_DIGIT_PRODUCT, TWO_DIGIT_QUOTIENT, WEIGHTS
from nalm.studies.digit_sequences import DIGIT_LOSS, DIGIT_PRODUCT
from nalm.studies.ledger.digits_001 import THRESHOLD, lengths, trained
from nalm.studies.ledger.table_claims import slug
from nalm.studies.published import published
from nalm.studies.rules import Alike, Average, Beats, CountOf, Every, Higher, Tally, every, full_on, some_of
from nalm.studies.rules.stated_counts import NotAlways
from nalm.studies.study import Study

SOLVED, FC, NMU, SNMU, BATCH = "solved product", "FC", "NMU", "sNMU", "sNMU, batch noise"
QUOTIENT, MLP, NPU, NRU, NMRU = "solved quotient", "MLP", "Real NPU (modified)", "NRU", "NMRU"
EXACT, ROUNDED, FIVE = "output exact", "output rounded", "output to 5 places"
LABELS = ("left digit", "right digit")
ARRIVED = TWO_DIGIT_PRODUCT.further[0][0]
RECORDED = {
    "sNMU U[1,5]": SNMU,
    "sNMU batch noise": BATCH,
    "solved MUL baseline": SOLVED,
    "solved DIV baseline": QUOTIENT,
    "NMRU": f"{NMRU}, clipped",
    "NMRU, not clipped": NMRU,
}
"""Names in the record that are not our labels. Of table 5.5 the NMRU alone is clipped, as table G.1 shows."""


def at(study: Study, unit: str, *labels: str) -> tuple[Place, ...]:
    """A head, by some of its accuracies."""
    return tuple(Place(study.name, unit, study.cells[0].operation, label) for label in labels)


def more(study: Study, better: str, worse: str, *labels: str) -> Higher:
    """One head is more accurate than another."""
    return Higher(at(study, better, *labels), at(study, worse, *labels), "accuracy")


def same(study: Study, one: str, other: str, *labels: str) -> Alike:
    return Alike(at(study, one, *labels), at(study, other, *labels), "accuracy")


def accuracies(study: Study, label: str) -> tuple[Claim, ...]:
    """A claim for every published accuracy of a study."""
    claims = []
    rows: Iterable[Any] = published(study.name, metric="accuracy").itertuples()
    for row in rows:
        unit = RECORDED.get(str(row.record_unit), str(row.record_unit))
        _, kind, number = str(row.source).split()
        error = str(row.note).removeprefix("standard error ")
        claims.append(
            Claim(
                f"002-{kind[0]}{number.casefold()}-{slug(unit)}",
                f"{unit} on {study.name}: {row.value:.1%} of the results on unseen pairs are right "
                f"({label.removeprefix('output ')}).",
                str(row.source),
                Average(
                    at(study, unit, label), float(row.value), study.seeds, "accuracy",
                    float(error) / 100 if error else None,
                ),
                "002 digits",
            )
        )  # fmt: skip
    return tuple(claims)


def over_lengths(first: str, second: str, study: Study = DIGIT_PRODUCT, *between: int) -> Higher:
    return Higher(lengths(study, first, *between), lengths(study, second, *between), threshold=THRESHOLD)


def by_length(study: Study, first: str, second: str) -> tuple[tuple[Place, Place], ...]:
    return tuple(zip(lengths(study, first), lengths(study, second), strict=True))


PRODUCTS = (
    *(
        Claim(
            f"002-s4.6.1-{slug(unit)}-exact",
            f"On unseen pairs of digits the {unit} gives exact products more often than the {other}.",
            "002 section 4.6.1.1, figure 4.10", more(TWO_DIGIT_PRODUCT, unit, other, EXACT),
        )
        for unit, other in ((SNMU, NMU), (BATCH, NMU))
    ),
    Claim(
        "002-s4.6.1-snmu-baseline",
        "The sNMU gives exact products more often than the solved product.",
        "002 section 4.6.1.1, figures 4.10 and 4.11", more(TWO_DIGIT_PRODUCT, SNMU, SOLVED, EXACT),
    ),
    Claim(
        "002-s4.6.1-fc-labels", "The weighted product (FC) reads digits better than it multiplies.",
        "002 section 4.6.1.1, figure 4.10",
        Higher(
            at(TWO_DIGIT_PRODUCT, FC, *LABELS), at(TWO_DIGIT_PRODUCT, FC, ROUNDED), "accuracy"
        ),
    ),
    Claim(
        "002-s4.6.1-nalm-labels", "The NMU and both sNMUs multiply as accurately as they read.",
        "002 section 4.6.1.1, figure 4.10",
        Every(
            tuple(
                Alike(
                    at(TWO_DIGIT_PRODUCT, unit, *LABELS), at(TWO_DIGIT_PRODUCT, unit, ROUNDED), "accuracy"
                )
                for unit in (NMU, SNMU, BATCH)
            )
        ),
    ),
    Claim(
        "002-s4.6.1-fc-weights", "The weights of the weighted product (FC) never end at (1, 1).",
        "002 section 4.6.1.1, figure 4.11",
        some_of(at(TWO_DIGIT_PRODUCT, FC, WEIGHTS), 0, ARRIVED),
    ),
    Claim(
        "002-s4.6.1-nmu-weights", "Not all NMUs end at exactly (1, 1): 7 of 10 do.",
        "002 section 4.6.1.1, figure 4.11",
        NotAlways(at(TWO_DIGIT_PRODUCT, NMU, WEIGHTS), 10, ARRIVED),
    ),
    Claim(
        "002-s4.6.1-snmu-weights", "All sNMUs, with either noise, end at exactly (1, 1).",
        "002 section 4.6.1.1, figure 4.11",
        full_on(
            (*at(TWO_DIGIT_PRODUCT, SNMU, WEIGHTS), *at(TWO_DIGIT_PRODUCT, BATCH, WEIGHTS)), 2, ARRIVED
        ),
    ),
    Claim(
        "002-f.2-classifiers",
        "Behind NMU and sNMUs digits are read as well as nine times in ten, in all folds.",
        "002 appendix F.2, figure F.1 (at least 96 % of every digit of one fold)",
        full_on(
            tuple(p for unit in (NMU, SNMU, BATCH) for p in at(TWO_DIGIT_PRODUCT, unit, *LABELS)), 6
        ),
    ),
    Claim(
        "002-f.4-snmu-labels", "The sNMU's CNN ends up reading digits better than the solved product's.",
        "002 appendix F.4, figure F.5", more(TWO_DIGIT_PRODUCT, SNMU, SOLVED, *LABELS),
    ),
)  # fmt: skip

COLOURS = (
    Claim(
        "002-s4.6.1.2-batch", "In colour channels the sNMU with batch noise is as accurate as the baseline.",
        "002 section 4.6.1.2, figure 4.14", same(COLOUR_PRODUCT, BATCH, SOLVED, ROUNDED),
    ),
    Claim(
        "002-s4.6.1.2-first-digit",
        "The sNMU with batch noise reads the first digit better than the baseline.",
        "002 section 4.6.1.2, figure 4.14", more(COLOUR_PRODUCT, BATCH, SOLVED, LABELS[0]),
    ),
    Claim(
        "002-s4.6.1.2-noise", "In colour channels noise from U[1, 5] is worse than batch noise.",
        "002 section 4.6.1.2, figure 4.14", more(COLOUR_PRODUCT, BATCH, SNMU, ROUNDED),
    ),
    Claim(
        "002-s4.6.1.2-weights",
        "In colour channels the NMU misses (1, 1) in a fold, the sNMUs do not.",
        "002 section 4.6.1.2, figure 4.15",
        Every(
            (
                CountOf(at(COLOUR_PRODUCT, NMU, WEIGHTS), every, "full success", 0, threshold=ARRIVED),
                full_on(
                    (*at(COLOUR_PRODUCT, SNMU, WEIGHTS), *at(COLOUR_PRODUCT, BATCH, WEIGHTS)), 2, ARRIVED
                ),
            )
        ),
    ),
    Claim(
        "002-s4.6.1.2-fc-weights", "In colour channels FC's weights do not reliably end at (1, 1).",
        "002 section 4.6.1.2, figure 4.15",
        CountOf(at(COLOUR_PRODUCT, FC, WEIGHTS), every, "full success", 0, threshold=ARRIVED),
    ),
    Claim(
        "002-s4.6.1.2-nmu-fc", "In colour channels the NMU is as accurate as the weighted product (FC).",
        "002 section 4.6.1.2, figures 4.14 and 4.15", same(COLOUR_PRODUCT, NMU, FC, ROUNDED),
    ),
    Claim(
        "002-f.4-colour-noise", "In colour channels digits are read better with the sNMU than with the NMU.",
        "002 appendix F.4, figure F.6", more(COLOUR_PRODUCT, SNMU, NMU, *LABELS),
    ),
)  # fmt: skip

QUOTIENTS = (
    Claim(
        "002-s5.10-real-npu", "On quotients the modified Real NPU is as accurate as the solved quotient.",
        "002 section 5.10.2, table 5.5", same(TWO_DIGIT_QUOTIENT, NPU, QUOTIENT, FIVE),
    ),
    Claim(
        "002-s5.10-nru", "On quotients the NRU is more accurate than the solved quotient.",
        "002 section 5.10.2, table 5.5", more(TWO_DIGIT_QUOTIENT, NRU, QUOTIENT, FIVE),
    ),
    Claim(
        "002-s5.10-nmru", "On quotients the NMRU is the least accurate of the three units.",
        "002 section 5.10.2, table 5.5",
        Every(tuple(more(TWO_DIGIT_QUOTIENT, unit, f"{NMRU}, clipped", FIVE) for unit in (NPU, NRU))),
    ),
    Claim(
        "002-s5.10-mlp", "On quotients the MLP is less accurate than every other head.",
        "002 section 5.10.2, table 5.5",
        Every(
            tuple(
                more(TWO_DIGIT_QUOTIENT, unit, MLP, FIVE) for unit in (QUOTIENT, NPU, NRU, f"{NMRU}, clipped")
            )
        ),
    ),
    Claim(
        "002-s5.11-order", "On quotients both NRU and NMRU are less accurate than the Real NPU.",
        "002 section 5.11",
        Every(
            tuple(more(TWO_DIGIT_QUOTIENT, NPU, unit, FIVE) for unit in (NRU, f"{NMRU}, clipped"))
        ),
    ),
    Claim(
        "002-s5.10-nmru-clipping", "Clipping is not what makes the NMRU fail: without it, it is as accurate.",
        "002 section 5.10.2, appendix G.8",
        Alike(
            at(TWO_DIGIT_QUOTIENT, NMRU, FIVE), at(TWO_DIGIT_QUOTIENT, f"{NMRU}, clipped", FIVE), "accuracy"
        ),
    ),
    *(
        Claim(
            f"002-g.8-{slug(unit)}", f"Clipping gradients {what} the {unit} on quotients.",
            "002 appendix G.8, table G.1", more(TWO_DIGIT_QUOTIENT, better, worse, FIVE),
        )
        for unit, better, worse, what in (
            (NPU, f"{NPU}, clipped", NPU, "helps"),
            (NRU, NRU, f"{NRU}, clipped", "hurts"),
            (NMRU, f"{NMRU}, clipped", NMRU, "helps"),
        )
    ),
)  # fmt: skip

SEQUENCES = (
    *(
        Claim(
            f"002-s4.6.2-{slug(unit)}", f"Over all lengths the {unit} multiplies more often than the NMU.",
            "002 section 4.6.2, figure 4.17", over_lengths(unit, NMU),
        )
        for unit in (SNMU, BATCH)
    ),
    Claim(
        "002-s4.6.2-speed", "The sNMUs are solved within twice the NMU's iterations.",
        "002 section 4.6.2, figure 4.17 (as fast)",
        Every(
            tuple(
                Beats(
                    trained(DIGIT_PRODUCT, unit), trained(DIGIT_PRODUCT, NMU), "solved_at", THRESHOLD, 0.5
                )
                for unit in (SNMU, BATCH)
            )
        ),
    ),
    Claim(
        "002-s4.6.2-batch-11-14", "On 11 to 14 digits the sNMU with batch noise is worse than the NMU.",
        "002 section 4.6.2, figure 4.17", over_lengths(NMU, BATCH, DIGIT_PRODUCT, 11, 14),
    ),
    Claim(
        "002-s4.6.2-snmu-15", "The sNMU is worse than the NMU at one length only.",
        "002 section 4.6.2, figure 4.17 (at 15 digits)",
        Tally(by_length(DIGIT_PRODUCT, SNMU, NMU), 1, None, None, THRESHOLD),
    ),
    Claim(
        "002-s6.3.2-mape", "By the MAPE the sNMU multiplies less often than the NMU.",
        "002 section 6.3.2, figures 6.4 and 6.5", over_lengths("NMU, MAPE", "sNMU, MAPE", DIGIT_LOSS),
    ),
    Claim(
        "002-s6.3.2-mse", "With the sNMU the MSE works better than the MAPE.",
        "002 section 6.3.2, figure 6.5", over_lengths("sNMU, MSE", "sNMU, MAPE", DIGIT_LOSS),
    ),
    *(
        Claim(
            f"002-s6.3.2-{unit.casefold()}-pcc-mse",
            f"By the PCC-MSE the {unit} multiplies less often than by the MSE.",
            "002 section 6.3.2, figures 6.4 and 6.5",
            over_lengths(f"{unit}, MSE", f"{unit}, PCC-MSE", DIGIT_LOSS),
        )
        for unit in (NMU, SNMU)
    ),
    Claim(
        "002-s6.3.2-pcc-mse-lengths", "At two lengths only does the sNMU multiply more often by the PCC-MSE.",
        "002 section 6.3.2, figure 6.5 (12 and 15 digits)",
        Tally(by_length(DIGIT_LOSS, "sNMU, PCC-MSE", "sNMU, MSE"), None, None, 2, THRESHOLD),
    ),
    Claim(
        "002-s6.3.4-mape", "With the NMU the MAPE does about as well as the MSE.",
        "002 section 6.3.4, figure 6.4",
        Alike(
            lengths(DIGIT_LOSS, "NMU, MAPE"), lengths(DIGIT_LOSS, "NMU, MSE"), threshold=THRESHOLD
        ),
    ),
)  # fmt: skip

CLAIMS = (
    *accuracies(TWO_DIGIT_PRODUCT, EXACT),
    *accuracies(COLOUR_PRODUCT, ROUNDED),
    *accuracies(TWO_DIGIT_QUOTIENT, FIVE),
    *PRODUCTS,
    *COLOURS,
    *QUOTIENTS,
    *SEQUENCES,
)
