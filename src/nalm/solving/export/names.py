"""Names from outside as identifiers, and as text in a comment."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence

import sympy


class Names:
    """Identifiers for a formula's inputs and target, whatever those are called.

    Args:
        inputs: the columns, in order.
        target: what the formula computes.
        reserved: words that no input may be called in the target language.
        taken: words that the target may not be called beside those.

    Attributes:
        inputs: an identifier for each input.
        target: one for the target.

    Example:
        >>> names = Names(["mass (kg)", "lambda", "mass-kg"], "2 pi", {"lambda"})
        >>> names.inputs, names.target
        (['mass_kg', 'lambda_', 'mass_kg_'], 'x2_pi')
        >>> names.changed
        {'mass_kg': 'mass (kg)', 'lambda_': 'lambda', 'mass_kg_': 'mass-kg', 'x2_pi': '2 pi'}
    """

    def __init__(
        self,
        inputs: Sequence[str],
        target: str,
        reserved: Collection[str],
        taken: Collection[str] = frozenset(),
    ) -> None:
        used = set(reserved)
        self.inputs = []
        for name in inputs:
            self.inputs.append(identifier(name, used))
            used.add(self.inputs[-1])
        self.target = identifier(target, used | set(taken))
        given = dict(zip((*self.inputs, self.target), (*inputs, target), strict=True))
        self.changed = {new: old for new, old in given.items() if new != old}
        self._symbols = {sympy.Symbol(o): sympy.Symbol(n) for o, n in zip(inputs, self.inputs, strict=True)}

    def renamed(self, expression: sympy.Expr) -> sympy.Expr:
        """The expression in identifiers."""
        return expression.xreplace(self._symbols)

    def comments(self, expression: sympy.Expr) -> list[str]:
        """Lines for a comment: the formula in identifiers, and what they stand for."""
        lines = [f"{self.target} = {self.renamed(expression)}"]
        return lines + [f"{new} stands for {quoted(old)}" for new, old in self.changed.items()]


def identifier(name: str, taken: Collection[str]) -> str:
    """A name made of ASCII letters, digits and underscores that begins with a letter and is not taken."""
    plain = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")
    if not plain[:1].isalpha():
        plain = f"x{plain}"
    while plain in taken:
        plain += "_"
    return plain


def quoted(name: str) -> str:
    """A name as a JSON string of ASCII characters, without any that could end a comment or join lines.

    Example:
        >>> print(quoted("a */ b\\n"), quoted("ξ"))
        "a \\u002a/ b\\n" "\\u03be"
    """
    return json.dumps(name).replace("*", "\\u002a").replace("?", "\\u003f")
