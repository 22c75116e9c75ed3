"""Choosing one of several by learnt logits: straight-through, with noise, or softly (002 section 7.2.5)."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

SMALLEST = 2.0**-25
"""Stands in for a uniform number of exactly 0, whose Gumbel variate is infinite."""


def largest(logits: Tensor) -> Tensor:
    """1 at the largest element of the last dimension, the first of equals, and 0 elsewhere.

    Example:
        >>> largest(torch.tensor([0.0, 2.0, 2.0]))
        tensor([0., 1., 0.])
    """
    places = torch.arange(logits.shape[-1], device=logits.device)
    return (places == logits.argmax(dim=-1, keepdim=True)).to(logits.dtype)


def straight_through(hard: Tensor, soft: Tensor) -> Tensor:
    """The value of `hard` with the gradient of `soft` (Bengio et al. 2013)."""
    return (hard - soft).detach() + soft


def st_softmax(logits: Tensor, temperature: Tensor | float) -> Tensor:
    """One-hot at the largest logit, with the gradient of softmax(logits / τ).

    Example:
        >>> st_softmax(torch.tensor([0.0, 3.0]), 10.0)
        tensor([0., 1.])
    """
    return straight_through(largest(logits), torch.softmax(logits / temperature, dim=-1))


def gumbel(uniform: Tensor) -> Tensor:
    """Gumbel(0, 1) variates −ln(−ln u) of uniform numbers."""
    return -torch.log(-torch.log(uniform.clamp(min=SMALLEST)))


def weighted(outputs: Sequence[Tensor], shares: Tensor) -> Tensor:
    """Σ_m shares[..., m]·outputs[m], written out: there are few."""
    total = outputs[0] * shares[..., 0]
    for index, output in enumerate(outputs[1:], 1):
        total = total + output * shares[..., index]
    return total


def gated_choice(
    outputs: Sequence[Tensor],
    logits: Tensor,
    gate_logit: Tensor,
    uniform: Tensor,
    temperature: Tensor | float,
    *,
    both_gradients: bool = True,
) -> Tensor:
    """One module's output in training: 002 algorithm 1.

    Formally, with p = σ(gate logit), the most likely module's output m_det and that of a module drawn with
    Gumbel noise m_stoch, both straight-through,

        hard = [p > ½]·m_det + [p ≤ ½]·m_stoch,   soft = p·m_det + (1 − p)·m_stoch

    The value is `hard`. Line 13 of the algorithm detaches `soft` alone, so that the gradients of both flow;
    the one-line form in the thesis' text detaches `hard` too.

    Args:
        outputs: of the modules, [...] each.
        logits: of the modules, [..., modules].
        gate_logit: of using the most likely module.
        uniform: numbers on [0, 1) of the shape of the logits.
        temperature: τ.
        both_gradients: add them, as the algorithm prints it; otherwise that of `soft`, as the text does.
    """
    likely = torch.sigmoid(gate_logit)
    decided = (likely > 0.5).to(likely.dtype)
    certain = weighted(outputs, st_softmax(logits, temperature))
    drawn = weighted(outputs, st_softmax(logits + gumbel(uniform), temperature))
    soft = likely * certain + (1 - likely) * drawn
    hard = decided * certain + (1 - decided) * drawn
    return hard - soft.detach() + soft if both_gradients else straight_through(hard, soft)
