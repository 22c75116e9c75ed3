"""Every unit with a form computes it at its discrete weights."""

import pytest
import torch

from nalm import IMNAC, INALU, NAU, NMRU, NPU, STGNMU, Form, Kind, RealNPU
from nalm.solving.network.chain import Chain
from nalm.units import units

WITH_FORMS = [name for name, unit in units().items() if unit(2, 1).forms()]
OPTIONS = [
    (NMRU, {"gated": True}),
    (NMRU, {"sign": False}),
    (RealNPU, {"clip": "wg", "discretise": "wg"}),
    (NPU, {"clip": "wig", "discretise": "wig"}),
]


def assert_forms_are_forward(unit, generator):
    unit = unit.double().eval()
    x = 1.5 * torch.rand(20, 3, dtype=torch.float64, generator=generator) + 0.5  # an ε shows near zero
    x = x * (2 * torch.randint(2, x.shape, generator=generator) - 1)
    for form in unit.forms():
        values = torch.tensor(form.values or (-2.0, -1.0, 0.0, 1.0, 2.0), dtype=torch.float64)
        for _ in range(5):
            matrix = values[torch.randint(len(values), (2, 3), generator=generator)]
            unit.assign(**form.weights(matrix))
            torch.testing.assert_close(unit(x), Chain((form.kind,), (matrix,))(x), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", WITH_FORMS)
def test_forms_are_what_the_unit_computes(name):
    assert_forms_are_forward(units()[name](3, 2), torch.Generator().manual_seed(0))


@pytest.mark.parametrize(("unit", "options"), OPTIONS)
def test_forms_of_published_variants(unit, options):
    assert_forms_are_forward(unit(3, 2, **options), torch.Generator().manual_seed(1))


def test_discrete_exponents_are_declared_by_the_modified_unit_only():
    assert RealNPU(2, 1).forms()[0].values == ()
    assert RealNPU.modified(2, 1).forms()[0].values == (-1.0, 0.0, 1.0)


def test_a_gate_that_does_not_see_the_input_offers_both_forms():
    assert [form.kind for form in INALU(2, 1).forms()] == [Kind.SUM, Kind.POWER]
    assert [form.kind for form in IMNAC(2, 1).forms()] == [Kind.POWER]


def test_the_unit_without_identity_has_no_form():
    assert STGNMU(2, 1, identity=False).forms() == ()


def test_a_form_needs_no_more_than_the_weight_called_weight():
    matrix = torch.tensor([[1.0, -1.0]])
    assert Form(Kind.SUM, ()).weights(matrix) == {"weight": matrix}
    unit = NAU(2, 1)
    unit.assign(**unit.forms()[0].weights(matrix))
    assert torch.equal(unit.weight, matrix)
