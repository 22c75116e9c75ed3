"""How the two-layer studies of 001 and 002 are decided with a tenth of their run-iterations or less.

Written before any of these runs was seen. Seeds are as many as a comparison with the published counts needs
to see a difference of 0.25 (of 0.2 where none succeeded, and of 0.2 over all points of a curve) in four of
five cases. Runs are cut where hardly any published run was solved later, and may stop soon after they are
solved where that decides them. What comes of it is called consistent with the published numbers, up to so
many iterations of so many seeds, and never reproduced.

Cells in which no published run was ever solved had all iterations at first. Before any of them was trained,
but for those on products, they were cut where nine in ten of the published solutions of the same operation,
by whatever model, had come (`NINE_IN_TEN`).

The curves of figures 3 and 8 and those of 002 had more seeds than that rule asks for. Before any of their
runs was trained they were brought down to what it does ask for (`test_curves_have_the_seeds_they_need`), and
two roots from 17 seeds to the 16 that are trained side by side.

`nalm run STUDY --reduced` trains it. Parts are listed by what they decide per hour, the most first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nalm.studies.least_error import OUT_OF_REACH
from nalm.studies.study import Budget, Cell, Selection, Study, find_budget
from nalm.studies.two_layer import MODELS, OPERATIONS
from nalm.training.run import Run

FULL = "full"


@dataclass(frozen=True)
class Reduced:
    """Cells of a study with the same number of seeds and iterations.

    Attributes:
        study: its name.
        units: labels of models.
        operations: names; empty for all.
        labels: settings or ranges; empty for all.
        seeds: how many, from 0 on.
        budget: how much of the published iterations, as `nalm run --budget` takes it.
        decides: whether hardly any published run was solved after so many, so that who fails until then
            counts as failing; otherwise the published runs are looked at up to then, too.
        to_the_end: whether runs go on when they are decided: how sparse a solution is shows at the end.
    """

    study: str
    units: tuple[str, ...]
    operations: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    seeds: int = 8
    budget: str = FULL
    decides: bool = True
    to_the_end: bool = False

    def __contains__(self, cell: Cell) -> bool:
        return (
            cell.unit in self.units
            and (not self.operations or cell.operation in self.operations)
            and (not self.labels or cell.label in self.labels)
        )


BEYOND_REACH = {(unit, operation) for unit, operations in OUT_OF_REACH.items() for operation in operations}
SOLVED_BY_SOME = {
    ("NAC•NMU", "mul"), ("NAC•σ", "mul"), ("NAC•", "mul"), ("NMU", "mul"), ("NMU", "sub"), ("NALU", "add"),
    ("NALU", "sub"), ("ReLU", "add"),
    *((unit, operation) for unit in ("NAU", "NAC+", "Linear") for operation in ("add", "sub")),
    *((unit, "squared") for unit in ("NAC•NMU", "NAC•σ", "NAC•", "NMU")),
    *((unit, "root") for unit in ("NAC•NMU", "NAC•σ", "NAC•", "NALU")),
}  # fmt: skip
"""Models and operations of tables 2 and 6 of which a published run came below the threshold."""
GATES = ("gated NAU/NMU", "NALU (separate)", "NALU (shared)")
ABLATIONS = ("NMU", "NMU, no penalty", "NMU, no clamp", "NMU, no penalty, no clamp")
SMALL_NOISE = ("sNMU U[0.01, 0.05]", "sNMU U[0.1, 0.5]")
ON_THE_CURVE = ("[-0.2, -0.1)", "[0.1, 0.2)", "[1.1, 1.2)", "[-1.2, -1.1)")
"""Ranges with a published rate of the NMU on products of sums, in figure 4.7 of 002."""
LOSSES = (
    *("NMU, MSE", "NMU, PCC", "NMU, PCC-MSE", "NMU, MAPE"),
    *("sNMU, PCC", "sNMU, PCC-MSE", "sNMU, MAPE"),
)


NINE_IN_TEN = {"add": "1/10", "sub": "2/5", "div": "3/5", "squared": "7/10"}
"""How much of the published iterations nine in ten published solutions of an operation took, rounded up:
309,000, 1,561,000 and 3,324,000. Nobody divides: there it is what products took, 2,902,000."""


def _zeros() -> Iterator[Reduced]:
    """Cells in which no published run was ever below the threshold, though the model can represent it."""
    for operation in OPERATIONS:
        units = [m.label for m in MODELS if not m.record.variant]
        never = [u for u in units if (u, operation) not in BEYOND_REACH | SOLVED_BY_SOME]
        if never:
            budget = NINE_IN_TEN.get(operation, FULL)
            yield Reduced("two-layer", tuple(never), (operation,), budget=budget)


PARTS = (
    Reduced("two-layer", ("NAU",), ("add", "sub"), seeds=100, budget="1/100", decides=False),
    Reduced("two-layer", ("NAC+",), ("sub",), seeds=100, budget="1/100", decides=False),
    Reduced("two-layer", ("Linear",), ("add",), seeds=30, budget="1/25"),
    Reduced("two-layer", ("NAC+",), ("add",), seeds=30, budget="1/10"),
    Reduced("two-layer", ("ReLU",), ("add",), seeds=37, budget="1/10"),
    Reduced("two-layer", ("NMU",), ("mul",), seeds=20, budget="3/5"),
    Reduced("two-layer", ("NMU",), ("sub",), seeds=37, budget="11/50"),
    Reduced("two-layer", ("NMU",), ("squared",), seeds=8, budget="3/5"),
    Reduced("two-layer", ("NAC•NMU",), ("squared",), seeds=8, budget="7/10"),
    Reduced("two-layer", ("NAC•σ",), ("squared",), seeds=8, budget="4/5"),
    Reduced("two-layer", ("NAC•NMU",), ("mul",), seeds=20, budget="7/10"),
    Reduced("two-layer", ("NAC•σ",), ("mul",), seeds=10, budget="4/5"),
    Reduced("two-layer", ("NAC•",), ("mul",), seeds=37),
    Reduced("two-layer", ("NALU",), ("add", "sub"), seeds=28, budget="2/5", decides=False),
    Reduced("two-layer", ("Linear",), ("sub",), seeds=28),
    Reduced("two-layer", ("NAC•",), ("squared",), seeds=34),
    *_zeros(),
    Reduced("two-layer", ("NAC•",), ("root",), seeds=20),
    Reduced("two-layer", ("NAC•NMU", "NALU"), ("root",), seeds=16),
    Reduced("two-layer", ("NAC•σ",), ("root",), seeds=13),
    Reduced("gating", GATES, ("add",), seeds=37, budget="2/5"),
    Reduced("gating", GATES, ("mul",), seeds=37),
    Reduced("two-layer-ablation", ABLATIONS, labels=("hidden 2",), seeds=20),
    Reduced("two-layer-ablation", ABLATIONS, labels=("hidden 3", "hidden 5", "hidden 10"), seeds=12),
    Reduced("two-layer-penalty", ("NAU",), ("add", "sub"), seeds=8, budget="1/10", decides=False),
    Reduced("two-layer-penalty", ("NMU",), ("mul",), seeds=8),
    Reduced("two-layer-hidden", ("NMU",), seeds=10),
    Reduced("two-layer-hidden", ("NAC•NMU",), seeds=8),
    Reduced("two-layer-hidden", ("NALU",), seeds=5, budget="3/5"),
    Reduced("two-layer-hidden", ("NAC•σ", "NAC•"), seeds=5),
    # Two sentences are about one range each: they need as many seeds there as a single cell does.
    Reduced(
        "two-layer-ranges", ("NMU", "NAC•NMU", "NAC•σ", "NAC•", "NALU"), labels=("[1.1, 1.2)",), seeds=11
    ),
    Reduced(
        "two-layer-ranges", ("NMU", "NAC•NMU", "NAC•σ", "NAC•", "NALU"), labels=("[-2, 2)",), seeds=8
    ),
    Reduced("two-layer-ranges", ("NMU", "NAC•σ", "NALU"), seeds=4),
    Reduced("two-layer-ranges", ("NAC•NMU",), seeds=7),
    Reduced("two-layer-ranges", ("NAC•",), seeds=5),
    Reduced("two-layer-overlap", ("NAC•",), seeds=8),
    Reduced("two-layer-overlap", ("gated NAU/NMU", "NALU"), seeds=4, budget="3/5"),
    Reduced("two-layer-overlap", ("NMU", "NAC•NMU", "NAC•σ"), seeds=4),
    Reduced("two-layer-subset", ("NAC•",), seeds=12),
    Reduced("two-layer-subset", ("gated NAU/NMU",), seeds=4, budget="3/5"),
    Reduced("two-layer-subset", ("NMU", "NAC•NMU", "NAC•σ", "NALU"), seeds=4),
    Reduced(
        "two-layer-inputs",
        ("NMU", "NAC•NMU", "NAC•σ", "NAC•", "gated NAU/NMU", "NALU"),
        labels=tuple(f"input {size}" for size in (4, 10, 25, 50, 100, 150, 200, 300)),
        seeds=5,
    ),
    # 002 has 20 seeds on nine ranges. Its curves have four and five of them, for which the NMU needs ten
    # seeds and the sNMU five; one range is compared alone, with all 20. Sentences compare nine ranges
    # together, five seeds on each: pairs of 45 runs. On other ranges and with other losses, too, runs are
    # taken to be decided by 3,000,000 iterations, as the published NMUs on U[1, 2) all were. Two sentences
    # are about sparsity, which shows at the end only: they wait for 90 runs of the NMU, by MSE and by PCC,
    # to all 5,000,000 iterations, which would cost as much as all others here together.
    Reduced("two-layer-stochastic", ("NMU",), labels=("[-2, 2)",), seeds=20, budget="3/5"),
    Reduced("two-layer-stochastic", ("NMU",), labels=ON_THE_CURVE, seeds=10, budget="3/5"),
    Reduced("two-layer-stochastic", ("NMU", "stgNMU", "NMU, gradient noise"), seeds=5, budget="3/5"),
    Reduced("two-layer-stochastic", ("sNMU U[1, 5]",), labels=("[-2, 2)",), seeds=20, to_the_end=True),
    Reduced("two-layer-stochastic", ("sNMU U[1, 5]",), seeds=5, to_the_end=True),
    Reduced("two-layer-stochastic", SMALL_NOISE, labels=("[-2, 2)",), seeds=20),
    Reduced("two-layer-loss", LOSSES, seeds=5, budget="3/5"),
)  # fmt: skip


def parts_of(study: Study) -> list[tuple[Reduced, list[Cell]]]:
    """The parts of a study's reduced design with their cells; a cell belongs to the first that has it."""
    left = list(study.cells)
    found = []
    for part in PARTS:
        if part.study == study.name:
            cells = [cell for cell in left if cell in part]
            left = [cell for cell in left if cell not in part]
            found.append((part, cells))
    return found


def reduced_runs(study: Study, selection: Selection) -> list[tuple[Budget, list[tuple[Cell, Run]]]]:
    """What the reduced design of a study trains, by budget, in the order of `PARTS`.

    Parts with the same budget are trained together, so that runs of a seed share its samples.
    """
    chosen = set(study.select(selection))
    found: dict[Budget, list[tuple[Cell, Run]]] = {}
    for part, cells in parts_of(study):
        budget = spent(part)
        runs = [(c, c.run(budget, seed)) for c in cells if c in chosen for seed in range(part.seeds)]
        if runs:
            found.setdefault(budget, []).extend(runs)
    if not found:
        names = ", ".join(dict.fromkeys(part.study for part in PARTS))
        raise ValueError(
            f"there is no reduced design of this selection of {study.name}; there is one of {names}"
        )
    return list(found.items())


def _part_of(study: Study, cell: Cell) -> Reduced | None:
    """The part that a cell belongs to: the first that has it."""
    return next((part for part in PARTS if part.study == study.name and cell in part), None)


def horizon(study: Study, cell: Cell) -> int | None:
    """Iterations after which a cell's failures count as failures; `None` if only all of them decide."""
    part = _part_of(study, cell)
    if part is None or not part.decides:
        return None
    return spent(part).recipe(cell.recipe).iterations


def seeds_asked(study: Study, cell: Cell) -> int | None:
    """How many seeds of a cell the reduced design asks for; `None` if it does not have the cell."""
    part = _part_of(study, cell)
    return None if part is None else part.seeds


def spent(part: Reduced) -> Budget:
    """The budget of a part's runs, which stop once they are decided, unless they are to go on."""
    budget = find_budget(part.budget)
    return budget if part.to_the_end else budget.stopping()


def run_iterations(study: Study) -> int:
    """What a study's reduced design costs at most, if no run stops before its end."""
    return sum(
        part.seeds * spent(part).recipe(cell.recipe).iterations
        for part, cells in parts_of(study)
        for cell in cells
    )
