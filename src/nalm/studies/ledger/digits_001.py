"""Claims of 001 section 4.2 and appendix D on running products and sums of handwritten digits.

Success is by the published threshold, of the baseline's hand-picked seeds (D21), as in the figures.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nalm.studies.claims import Claim, Place
from nalm.studies.digit_sequences import DIGIT_PRODUCT, DIGIT_SUM
from nalm.studies.ledger.table_claims import place, slug
from nalm.studies.published_rate import published_rate
from nalm.studies.rules import Alike, Average, Beats, CountOf, Every, Higher
from nalm.studies.study import Cell, Study

THRESHOLD = "published"
TRAINED = {DIGIT_PRODUCT.name: "length 2", DIGIT_SUM.name: "length 10"}
"""The length that was trained on."""


def nearly_all(rate: float) -> bool:
    return rate >= 0.9


def half(rate: float) -> bool:
    return rate >= 0.5


def lengths(study: Study, unit: str, first: int = 1, last: int = 1000) -> tuple[Place, ...]:
    """A unit at all lengths between two."""
    cells = (cell for cell in study.cells if cell.unit == unit)
    return tuple(place(study, cell) for cell in cells if first <= _length(cell) <= last)


def _length(cell: Cell) -> int:
    return int(cell.label.split()[-1])


def figures(study: Study) -> Iterator[Claim]:
    """A claim for every curve: the mean over its lengths, since they look at the same runs."""
    for unit in dict.fromkeys(cell.unit for cell in study.cells):
        cells = [cell for cell in study.cells if cell.unit == unit]
        rates = [rate for cell in cells if (rate := published_rate(study, cell)) is not None]
        if not rates:
            continue
        mean, source = float(np.mean([rate.value for rate in rates])), rates[0].source
        yield Claim(
            f"001-f{source.split()[2].rstrip(',')}-{slug(unit)}",
            f"{unit} on {study.name}: over all lengths {mean:.0%} of the runs succeed.",
            source,
            Average(lengths(study, unit), mean, study.seeds, threshold=THRESHOLD),
            "001 digits",
        )


def higher(study: Study, better: str, worse: str) -> Higher:
    return Higher(lengths(study, better), lengths(study, worse), threshold=THRESHOLD)


def trained(study: Study, unit: str) -> Place:
    """A unit at the length that it was trained on."""
    (found,) = (p for p in lengths(study, unit) if p.label == TRAINED[study.name])
    return found


SENTENCES = (
    Claim(
        "001-s4.2-nmu-learns", "Behind a CNN the NMU learns the product of two digits.", "001 section 4.2",
        CountOf(
            (trained(DIGIT_PRODUCT, "NMU"),), nearly_all, "at least nine runs in ten solved", 1,
            threshold=THRESHOLD,
        ),
    ),
    Claim(
        "001-s4.2-nmu-extrapolates",
        "Trained on two digits, the NMU multiplies up to twenty.", "001 section 4.2, figure 4",
        CountOf(
            lengths(DIGIT_PRODUCT, "NMU", 3), half, "at least half of the runs solved", 18,
            threshold=THRESHOLD,
        ),
    ),
    Claim(
        "001-s4.2-nmu-best", "Over all lengths the NMU succeeds more often than every other cell.",
        "001 section 4.2, figure 4, and section 5",
        Every(
            tuple(
                higher(DIGIT_PRODUCT, "NMU", other) for other in ("NAC•NMU", "NAC•σ", "NAC•", "NALU", "LSTM")
            )
        ),
    ),
    *(
        Claim(
            f"001-d4-{slug(unit)}-sparsity",
            f"Without R_z the {unit} multiplies with weights further from 0 and 1 (larger sparsity error).",
            "001 section 4.2 and appendix D.4, figure 15",
            Beats(
                trained(DIGIT_PRODUCT, unit), trained(DIGIT_PRODUCT, f"{unit} without R_z"),
                "sparsity_error", THRESHOLD,
            ),
        )
        for unit in ("NMU", "NAC•NMU")
    ),
    *(
        Claim(
            f"001-d4-{slug(unit)}-success", f"Without R_z the {unit} multiplies about as often.",
            "001 appendix D.4, figure 15",
            Alike(
                lengths(DIGIT_PRODUCT, unit), lengths(DIGIT_PRODUCT, f"{unit} without R_z"),
                threshold=THRESHOLD,
            ),
        )
        for unit in ("NMU", "NAC•NMU")
    ),
    Claim(
        "001-d2-nau-best", "Over all lengths the NAU adds more often than every other cell.",
        "001 appendix D.2, figure 13, and section 5",
        Every(
            tuple(higher(DIGIT_SUM, "NAU", other) for other in ("NAC+ with R_z", "NAC+", "NALU", "LSTM"))
        ),
    ),
    Claim(
        "001-d3-rz", "Without R_z the NAU adds less often.", "001 appendix D.3, figure 14",
        higher(DIGIT_SUM, "NAU", "NAU without R_z"),
    ),
    Claim(
        "001-d3-longer", "Without R_z the NAU succeeds more often the longer the sequences are.",
        "001 appendix D.3, figure 14",
        Higher(
            lengths(DIGIT_SUM, "NAU without R_z", 600), lengths(DIGIT_SUM, "NAU without R_z", 1, 200),
            threshold=THRESHOLD,
        ),
    ),
)  # fmt: skip

CLAIMS = (*figures(DIGIT_PRODUCT), *figures(DIGIT_SUM), *SENTENCES)
