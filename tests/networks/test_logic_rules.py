"""Rules read out of NLRLs."""

import itertools

import pytest
import sympy
import torch

from nalm import NAU, NLRL, Stack
from nalm.networks.logic_rules import logic_expression


@pytest.mark.parametrize("form", ["full", "conjunction", "disjunction"])
@pytest.mark.parametrize("gates", ["one", "per input"])
def test_rules_are_what_the_rounded_network_computes(form: str, gates: str) -> None:
    torch.manual_seed(0)
    rows = torch.tensor(list(itertools.product((0.0, 1.0), repeat=3)))
    for _ in range(10):
        layers = NLRL(3, 2, form=form, output_gates=gates), NLRL(2, 1, form=form, output_gates=gates)
        for layer in layers:
            weights = {name: torch.randint(2, w.shape).float() for name, w in layer.weights().items()}
            if gates == "per input":
                weights["output"] = weights["output"][:, :1].expand_as(weights["output"])
            layer.assign(**weights)
        network = Stack(*layers)
        (rule,) = logic_expression(network, ["a", "b", "c"])
        for row in rows:
            values = dict(zip(sympy.symbols("a b c"), (bool(v) for v in row), strict=True))
            assert bool(rule.subs(values)) == bool(network(row).round()), (rule, row)


def test_other_units_have_no_rules() -> None:
    with pytest.raises(TypeError, match="has a NAU"):
        logic_expression(Stack(NLRL(2, 2), NAU(2, 1)))
