"""The differential equations that networks have learnt, as formulas, and how far they carry."""

from __future__ import annotations

import copy

import numpy as np
import sympy
import torch

from nalm.networks.ode import NeuralODE
from nalm.report.markdown import table
from nalm.report.restored import restored_networks
from nalm.report.results import Results
from nalm.store import Store
from nalm.tasks.epidemic import OTHER_STARTS, WEEKS, course

DIGITS = 2
SYMBOLS = ("S", "I", "R")


def equation_page(results: Results, store: Store) -> str:
    """The equations of every model's best seed, by validation error, and its error over a whole epidemic."""
    best: dict[tuple[str, str], tuple[float, NeuralODE]] = {}
    for cell, _, network, row in restored_networks(results, store):
        assert isinstance(network, NeuralODE)
        error, key = float(np.min(np.nan_to_num(row.validation, nan=np.inf))), (cell.operation, cell.unit)
        if key not in best or error < best[key][0]:
            best[key] = error, copy.deepcopy(network)
    if not best:
        return ""
    lines = []
    for (operation, unit), (_, network) in best.items():
        lines.append([operation, unit, written(network), f"{course_error(network, operation):.2g}"])
    words = (
        "Of every model the seed with the smallest validation error, with weights as they ended, rounded to "
        f"{DIGITS} decimals, and the largest error of any count in {WEEKS} weeks of the test's epidemics, "
        "followed from their first day by `torchdiffeq`, as a share of the population."
    )
    head = ["epidemic", "network", "equations", "largest error"]
    return f"\n### {results.study.name}: what was learnt\n\n{words}\n\n{table(head, lines)}\n"


def written(network: NeuralODE) -> str:
    """The right-hand sides with rounded numbers, if units are all there is; as code, for the sake of `**`."""
    formulas = network.equations(SYMBOLS)
    if formulas is None:
        return "–"
    return "; ".join(f"`{s}′ = {rounded(f)}`" for s, f in zip(SYMBOLS, formulas, strict=True))


def rounded(formula: sympy.Expr) -> sympy.Expr:
    """A formula with its numbers rounded; what becomes 0 is left out.

    Example:
        >>> x = sympy.Symbol("x")
        >>> rounded(0.5003 * x**0.9999 + 0.0004 * x)
        0.5*x
    """
    near = {number: sympy.Float(round(float(number), DIGITS)) for number in formula.atoms(sympy.Float)}
    plain = formula.xreplace(near)
    numbers = plain.atoms(sympy.Float)
    whole = [number for number in numbers if float(number).is_integer()]
    return plain.xreplace({number: sympy.Integer(int(number)) for number in whole})


def course_error(network: NeuralODE, operation: str) -> float:
    """The largest error of any count, over all epidemics of the test, as a share of the population."""
    weeks = torch.arange(float(WEEKS + 1))
    worst = 0.0
    for start in OTHER_STARTS:
        found = network.course(torch.tensor(start), weeks).double().numpy()
        gap = np.abs(found - course(operation, start)).max() / sum(start)
        worst = max(worst, float(np.nan_to_num(gap, nan=np.inf)))
    return worst
