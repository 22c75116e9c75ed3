"""Claims of 002 chapter 7 on expressions of two steps.

The thesis does not say when it calls a run correct. A run counts here if it beats a solution whose weights
are off by 10⁻³: SGD under the published penalty keeps weights at 0 moving by about as much.
"""

from __future__ import annotations

from nalm.studies.claims import Claim, Place
from nalm.studies.composition_studies import COMPOSITION, MODELS, Composer
from nalm.studies.ledger.table_claims import slug
from nalm.studies.published import published
from nalm.studies.rules import Best, EachSolved, MeanErrors, Pooled, some_of
from nalm.tasks.composition import EXPRESSIONS

LOOSE = "loose"
FROZEN, GATED = "recurrent, frozen", "gated NAU; NMU"


def at(unit: str, *expressions: str) -> tuple[Place, ...]:
    """Cells of a network: the named expressions, or all of them."""
    return tuple(
        Place(COMPOSITION.name, unit, name, "[1, 2)")
        for name in EXPRESSIONS
        if name in (expressions or EXPRESSIONS)
    )


def solved(model: Composer) -> Claim:
    """A row of 002 table 7.3."""
    (count,) = published(COMPOSITION.name, model.record, metric="expressions_solved")["value"]
    statement = f"The network {model.label} solves {count:.0f} of the 16 expressions."
    rule = Pooled(at(model.label), count / len(EXPRESSIONS), LOOSE, seeds=1)
    return Claim(f"002-t7.3-{slug(model.label)}", statement, "002 table 7.3", rule)


def all_solved(*places: Place) -> EachSolved:
    return EachSolved(places, 1, LOOSE)


def errors(metric: str) -> MeanErrors:
    """A column of 002 table 7.3: the mean error of every network over all expressions."""
    rows = published(COMPOSITION.name, metric=metric).set_index("record_unit")["value"]
    column = "validation" if metric == "interpolation_mse" else "test"
    return MeanErrors(tuple((at(m.label), float(rows[m.record])) for m in MODELS), column)


SENTENCES = (
    Claim(
        "002-s7.3-no-stack", "No network of four stacked units solves any expression.",
        "002 section 7.3",
        some_of(tuple(p for m in MODELS if m.label.startswith("stacked") for p in at(m.label)), 0, LOOSE),
    ),
    Claim(
        "002-s7.3-no-generalisation", "Neither perceptrons nor quadratic networks solve any expression.",
        "002 section 7.3",
        some_of(tuple(p for m in MODELS[:3] for p in at(m.label)), 0, LOOSE),
    ),
    Claim(
        "002-t7.4-gated", "The gated NAU and NMU learn add-sub, add-mul, sub-add and mul-mul.",
        "002 table 7.4",
        all_solved(*at(GATED, "add-sub", "add-mul", "sub-add", "mul-mul")),
    ),
    Claim(
        "002-t7.5-recurrent", "The recurrent NAU, NAU, NMU learns add-add and sub-sub.", "002 table 7.5",
        all_solved(*at("recurrent NAU, NAU, NMU", "add-add", "sub-sub")),
    ),
    Claim(
        "002-t7.6-frozen",
        "With frozen modules add-add, add-sub, mul-mul, mul-div, div-add, div-mul and div-div are learnt.",
        "002 table 7.6",
        all_solved(
            *at(FROZEN, "add-add", "add-sub", "mul-mul", "mul-div", "div-add", "div-mul", "div-div")
        ),
    ),
    Claim(
        "002-s7.3-subtraction", "Of the seven expressions with a subtraction, frozen modules learn one.",
        "002 section 7.3",
        some_of(at(FROZEN, *(name for name in EXPRESSIONS if "sub" in name)), 1, LOOSE),
    ),
    Claim(
        "002-t7.3-interpolation", "The networks' mean errors on the interpolation range are "
        "those of table 7.3.",
        "002 table 7.3", errors("interpolation_mse"),
    ),
    Claim(
        "002-t7.3-extrapolation", "The networks' mean errors on the extrapolation range are "
        "those of table 7.3.",
        "002 table 7.3", errors("extrapolation_mse"),
    ),
    Claim(
        "002-s7.3-best", "The recurrent selector with frozen modules solves more expressions than any other.",
        "002 table 7.3",
        Best(
            ((FROZEN, at(FROZEN)), *((m.label, at(m.label)) for m in MODELS if m.label != FROZEN)), LOOSE
        ),
    ),
)  # fmt: skip

CLAIMS = (*(solved(model) for model in MODELS), *SENTENCES)
