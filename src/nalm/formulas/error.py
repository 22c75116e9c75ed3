"""What is said of a formula that cannot be read."""

from __future__ import annotations


class FormulaError(ValueError):
    """A formula that cannot be read, and where.

    Attributes:
        text: the formula.
        position: how many characters come before the place in question.
    """

    def __init__(self, problem: str, text: str, position: int) -> None:
        self.text, self.position = text, position
        super().__init__(
            f"cannot read the formula, character {position + 1}{_near(text, position)}: {problem}"
        )


def _near(text: str, position: int) -> str:
    """The characters from a place on, few enough for one line.

    Example:
        >>> _near("a + * b", 4)
        " (at '* b')"
    """
    rest = text[position : position + 13].rstrip()
    if len(rest) > 12:
        rest = rest[:12] + "…"
    return f" (at {rest!r})" if rest else " (its end)"
