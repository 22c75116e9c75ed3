"""One network in given forms."""

import time

import pytest
import torch

from nalm import INALU, NAU, NMU, Stack, Status
from nalm.solving.network.limits import SearchLimits
from nalm.solving.network.outputs import solve_outputs, units_of
from nalm.solving.network.samples import prepare

X = torch.rand(100, 2, generator=torch.Generator().manual_seed(0)) + 1


def attempted(network, forms, y):
    data = prepare(X, y, 2, 1, torch.Generator().manual_seed(0))
    return solve_outputs(
        network, forms, data, SearchLimits(torch.Generator().manual_seed(0), time.monotonic() + 10)
    )


def test_each_form_is_an_attempt_of_its_own():
    network = INALU(2, 1)
    as_sum, as_product = network.forms()
    assert attempted(network, [as_sum], X[:, 0] - X[:, 1]).verified
    assert attempted(network, [as_sum], X[:, 0] / X[:, 1]).status is Status.NOT_REPRESENTABLE
    solution = attempted(network, [as_product], X[:, 0] / X[:, 1])
    assert solution.verified
    assert solution.network.gate.item() < 1e-9


def test_no_rows_to_take_logarithms_of_mean_no_attempt():
    network = NMU(2, 1)
    assert attempted(network, network.forms(), torch.zeros(100)) is None


def test_the_evidence_counts_samples_and_structures():
    network = Stack(NAU(2, 2), NMU(2, 1))
    forms = [form for unit in units_of(network) for form in unit.forms()]
    evidence = attempted(network, forms, X[:, 0] * X[:, 1]).evidence
    assert evidence.samples == (80, 20)
    assert evidence.structures == 2  # a sum, then a power
    assert evidence.error_of_network < 1e-6


def test_only_units_and_stacks_have_forms():
    with pytest.raises(TypeError, match="Linear"):
        units_of(torch.nn.Linear(2, 1))
