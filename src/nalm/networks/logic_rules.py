"""Boolean rules read out of networks of NLRLs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nalm.networks.stack import Stack
from nalm.units.base import as_symbols
from nalm.units.logic import NLRL

if TYPE_CHECKING:
    from sympy.logic.boolalg import Boolean

SIMPLIFIED_UP_TO = 8
"""Inputs up to which a formula is brought into a short form: that takes all 2^inputs combinations."""


def logic_expression(network: Stack | NLRL, symbols: Sequence[str] | None = None) -> list[Boolean]:
    """The rules of a network of NLRLs with rounded weights, one formula of sympy's logic per output.

    Args:
        network: an NLRL, or a stack of them.
        symbols: names of the inputs; x1, x2, … by default.

    Example:
        >>> import torch
        >>> from nalm import NLRL, Stack
        >>> either, both = NLRL(2, 2), NLRL(2, 1)
        >>> either.assign(negation=torch.tensor([[0.0, 0.0], [1.0, 1.0]]), weight=torch.ones(2, 2))
        >>> either.assign(output=torch.ones(2))
        >>> both.assign(negation=torch.zeros(1, 2), weight=torch.ones(1, 2), output=torch.zeros(1))
        >>> logic_expression(Stack(either, both), ["a", "b"])
        [(a & ~b) | (b & ~a)]
    """
    import sympy

    layers: list[NLRL] = []
    for layer in [network] if isinstance(network, NLRL) else network.layers:
        if not isinstance(layer, NLRL):
            raise TypeError(f"only NLRLs have Boolean rules, and this network has a {type(layer).__name__}")
        layers.append(layer)
    inputs: list[Boolean] = as_symbols(symbols, network.in_features)
    rules = inputs
    for layer in layers:
        rules = layer.rules(rules)
    if len(inputs) > SIMPLIFIED_UP_TO:
        return rules
    return [sympy.simplify_logic(rule, form="dnf", force=True) for rule in rules]
