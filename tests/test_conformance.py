"""Every registered unit passes every check of the conformance kit."""

import pytest

from nalm import Unit
from nalm.conformance import check_unit
from nalm.units import units


@pytest.mark.parametrize("unit", units().values(), ids=units())
def test_conforms(unit: type[Unit]) -> None:
    # Tracing is what a unit can get wrong; `tests/conformance` and the examples go through the other backend.
    assert [result for result in check_unit(unit, compiler="eager") if result.status != "passed"] == []
