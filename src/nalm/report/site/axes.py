"""Axes that charts share."""

from __future__ import annotations

import altair as alt

EXPONENT = "floor(log(datum.value) / LN10 + 1e-9)"
"""Of a tick of a logarithmic axis; the logarithm of 1000 may be a little below 3."""
LEADING = f"round(datum.value / pow(10, {EXPONENT}))"


def _raised(digit: str) -> str:
    return f"slice('⁰¹²³⁴⁵⁶⁷⁸⁹', {digit}, {digit} + 1)"


POWER = (
    f"('10' + ({EXPONENT} < 0 ? '⁻' : '')"
    f" + (abs({EXPONENT}) < 10 ? '' : {_raised(f'floor(abs({EXPONENT}) / 10)')})"
    f" + {_raised(f'abs({EXPONENT}) % 10')})"
)
LABEL = f"datum.label === '' ? '' : {LEADING} === 1 ? {POWER} : {LEADING} + '·' + {POWER}"
"""10⁻³ and, where an axis has few decades, 5·10⁻³."""
IF_LABELLED = {"condition": {"test": "datum.label !== ''", "value": 1}, "value": 0}


def powers_of_ten(count: int) -> alt.Axis:
    """A logarithmic axis; ticks between decades that have no place for a label have no line either."""
    return alt.Axis(
        format=".0e", tickCount=count, labelExpr=LABEL, gridOpacity=IF_LABELLED, tickOpacity=IF_LABELLED
    )


def few_iterations() -> alt.Axis:
    """Iterations of a training, from its start."""
    return alt.Axis(format=",d", tickCount=6, tickMinStep=1)
