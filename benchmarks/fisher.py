"""Which of the 120 laws noise hides: those with a term that no method could tell from nothing.

In every sum of a law all terms but the largest get a coefficient of 1, and the law one more. With J the
derivatives of y by these coefficients and σ the noise, a term is hidden if the part of its column that the
others do not span is shorter than 3σ: by the Fisher information its coefficient is then known to no better
than a third of itself, from these 1000 rows. To first order, and for terms alone: it says nothing of
functions that could stand in for each other.

    python benchmarks/fisher.py
"""

from __future__ import annotations

import json

import numpy as np
import sympy

from feynman import laws
from nalm.solving.formula.formula import Formula
from physics import Target

ROWS = 1000
NOISE = (1e-3, 1e-2, 1e-1)
DEVIATIONS = 3.0


def weakest_term(law: Target, rows: int = ROWS) -> float:
    """The least length of what a term adds to y beyond the others, over y's root mean square."""
    x, y = law.sample(rows, np.random.default_rng(0))
    known = {symbol.name: symbol for symbol in law.expression.free_symbols}
    inputs = tuple(known.get(name, sympy.Symbol(name)) for name in law.variables)

    def size(term: sympy.Expr) -> float:
        return float(np.mean(np.abs(Formula(term, inputs, (), np.empty(0)).predict(x))))

    coefficients = [sympy.Symbol("_c0", real=True)]

    def marked(expression: sympy.Expr) -> sympy.Expr:
        if not expression.args:
            return expression
        terms = list(expression.args)
        if expression.is_Add:
            largest = max(range(len(terms)), key=lambda index: size(terms[index]))
            for index in set(range(len(terms))) - {largest}:
                coefficients.append(sympy.Symbol(f"_c{len(coefficients)}", real=True))
                terms[index] = coefficients[-1] * marked(terms[index])
            terms[largest] = marked(terms[largest])
            return sympy.Add(*terms)
        return expression.func(*map(marked, terms))

    expression = coefficients[0] * marked(law.expression)
    formula = Formula(expression, inputs, tuple(coefficients), np.ones(len(coefficients)))
    columns = formula.with_derivatives(x)[1]
    inverse = np.linalg.pinv(np.linalg.qr(columns, mode="r"))
    alone = 1 / np.sqrt(np.sum(inverse**2, axis=1))
    return float(alone.min() / np.sqrt(np.mean(y**2)))


def main() -> None:
    weakest = {law.name: weakest_term(law) for law in laws()}
    hidden = {noise: [n for n, size in weakest.items() if size < DEVIATIONS * noise] for noise in NOISE}
    print("| noise | laws it hides | |\n|---|---|---|")
    for noise, names in hidden.items():
        print(f"| {noise:g} | {len(names)} of {len(weakest)} | {', '.join(names)} |")
    print(json.dumps({str(noise): names for noise, names in hidden.items()}))


if __name__ == "__main__":
    main()
