"""Claims of 002 section 5.8 on division near zero.

Success is an error no larger than that of the solution itself. Rounding differs between compiled code and the
published one, so the errors that count have a leeway of a tenth; the verdict without it stands beside.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from nalm.studies.claims import Claim, DecidedBy, Place
from nalm.studies.division_small import DIVISION_SMALL, EXACT, gold_as_published
from nalm.studies.ledger.division_places import MODIFIED
from nalm.studies.rules import HIGH, Beats, ByThreshold, Computed, Every, NearlyAll, full, none, not_always
from nalm.tasks.division import SMALL

UNITS = (MODIFIED, "NRU", "NMRU")
NEAREST, FARTHEST = SMALL[0], SMALL[-1]


def small(unit: str, task: str, end: float, operation: str = "reciprocal") -> Place:
    return Place("division-small", unit, operation, f"{task} [0, {end:g})")


def everywhere(unit: str, task: str) -> tuple[Place, ...]:
    return tuple(small(unit, task, end) for end in SMALL)


def with_and_without_leeway(rule: Callable[[str], DecidedBy]) -> ByThreshold:
    return ByThreshold(rule, "gold", "gold without leeway")


def solution_errors() -> Iterator[tuple[str, list[dict[str, float]]]]:
    """Task by task, the errors of every unit's solution, from the smallest range to the largest."""
    for task in ("easy", "medium", "hard"):
        labels = [f"{task} [0, {end:g})" for end in SMALL]
        yield (
            task,
            [
                {cell.unit: gold_as_published(cell) for cell in DIVISION_SMALL.cells if cell.label == label}
                for label in labels
            ],
        )


def _nearer_is_worse() -> tuple[bool, str]:
    wrong = [
        f"{unit} ({task})"
        for task, errors in solution_errors()
        for unit in UNITS
        if any(near[unit] <= far[unit] for near, far in itertools.pairwise(errors))
    ]
    return not wrong, f"not so for {', '.join(wrong)}" if wrong else "so for three units and three tasks"


def _errs_more(unit: str, *others: str) -> Callable[[], tuple[bool, str]]:
    """Whether a unit's solution errs more than each of the others', on every task and range."""

    def compute() -> tuple[bool, str]:
        ranges = [errors for _, ranges in solution_errors() for errors in ranges]
        found = [errors[unit] > errors[other] for errors in ranges for other in others]
        return all(found), f"in {sum(found)} of {len(found)} comparisons"

    return compute


def _always_but_the_nru(threshold: str) -> Every:
    cells = [(unit, end) for unit in UNITS for end in SMALL if (unit, end) != ("NRU", NEAREST)]
    struggles = not_always(small("NRU", "easy", NEAREST), threshold=threshold)
    always = (full(small(unit, "easy", end), threshold=threshold) for unit, end in cells)
    return Every((*always, struggles))


def _only_by_its_epsilon(threshold: str) -> Every:
    own, exact = (small(unit, "medium", NEAREST) for unit in (MODIFIED, EXACT))
    return Every((none(exact, threshold=threshold), Beats(own, exact, threshold=threshold)))


def _relevant_is_easier(threshold: str) -> Every:
    larger = SMALL[-2:]
    return Every(
        tuple(
            Beats(
                tuple(small(unit, "hard", end, "div") for end in larger),
                tuple(small(unit, "medium", end) for end in larger),
                threshold=threshold,
            )
            for unit in ("NRU", "NMRU")
        )
    )


CLAIMS = (
    Claim(
        "002-s5.8-gold-nearer",
        "The nearer a range is to 0, the larger is the error of the solution itself.",
        "002 section 5.8.1, figure 5.12",
        Computed(_nearer_is_worse, "the errors of three units with the solution's weights, range by range"),
    ),
    Claim(
        "002-s5.8-gold-real-npu",
        "The Real NPU's solution errs more than those of NRU and NMRU, on all tasks and ranges.",
        "002 section 5.8.1, figure 5.12",
        Computed(_errs_more(MODIFIED, "NRU", "NMRU"), "the errors of the solutions on 15 tasks and ranges"),
    ),
    Claim(
        "002-s5.8-gold-epsilon",
        "Without its ε the Real NPU's solution errs less.",
        "002 section 5.8.1, figure 5.12",
        Computed(_errs_more(MODIFIED, EXACT), "the errors of the solutions on 15 tasks and ranges"),
    ),
    Claim(
        "002-s5.8-slower",
        "Runs that learn 1/a take longer on [0, 10⁻⁴) than on [0, 1).",
        "002 section 5.8.2, figure 5.13",
        with_and_without_leeway(
            lambda threshold: Every(
                tuple(
                    Beats(small(unit, "easy", FARTHEST), small(unit, "easy", NEAREST), "solved_at", threshold)
                    for unit in UNITS
                )
            )
        ),
    ),
    Claim(
        "002-s5.8-easy",
        "1/a alone is always learnt on all five ranges, but by the NRU not on [0, 10⁻⁴).",
        "002 section 5.8.2, figure 5.13",
        with_and_without_leeway(_always_but_the_nru),
    ),
    *(
        Claim(
            f"002-s5.8-redundant-{name}",
            f"A redundant input costs the {unit} success at 1/a near 0.",
            "002 section 5.8.2, figures 5.13 and 5.14",
            with_and_without_leeway(
                lambda threshold, unit=unit: Beats(  # type: ignore[misc]
                    everywhere(unit, "easy"), everywhere(unit, "medium"), threshold=threshold
                )
            ),
        )
        for name, unit in (("real-npu", MODIFIED), ("nru", "NRU"), ("nmru", "NMRU"))
    ),
    Claim(
        "002-s5.8-medium",
        "Beside a redundant input on [0, 1), the NMRU learns 1/a more often than the other two.",
        "002 section 5.8.2, figure 5.14",
        with_and_without_leeway(
            lambda threshold: Every(
                tuple(
                    Beats(small("NMRU", "medium", 1), small(other, "medium", 1), threshold=threshold)
                    for other in (MODIFIED, "NRU")
                )
            )
        ),
    ),
    Claim(
        "002-s5.8-false-positives",
        "1/a beside b on [0, 10⁻⁴): the Real NPU succeeds, but only due to its ε: without it never.",
        "002 section 5.8.2, figure 5.14",
        with_and_without_leeway(_only_by_its_epsilon),
    ),
    Claim(
        "002-s5.8-false-sparsity",
        "Runs of the Real NPU that succeed at 1/a beside b on [0, 10⁻⁴) have high sparsity errors.",
        "002 section 5.8.2, figure 5.14",
        with_and_without_leeway(
            lambda threshold: NearlyAll(
                (small(MODIFIED, "medium", NEAREST),), "sparsity_error", HIGH, above=True, threshold=threshold
            )
        ),
    ),
    Claim(
        "002-s5.8-hard",
        "On [0, 0.1) and [0, 1) NRU and NMRU learn a/b more often than 1/a beside b.",
        "002 section 5.8.2, figure 5.15",
        with_and_without_leeway(_relevant_is_easier),
    ),
    Claim(
        "002-s5.8-hard-smallest",
        "On [0, 10⁻⁴) no unit ever learns a/b.",
        "002 section 5.8.2, figure 5.15",
        with_and_without_leeway(
            lambda threshold: Every(
                tuple(none(small(unit, "hard", NEAREST, "div"), threshold=threshold) for unit in UNITS)
            )
        ),
    ),
)
