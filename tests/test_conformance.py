"""Every registered unit passes every check of the conformance kit."""

import pytest

from nalm import Unit
from nalm.conformance import CHECKS, check_unit
from nalm.units import units


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("unit", units().values(), ids=units())
def test_conforms(unit: type[Unit], check: str) -> None:
    (result,) = check_unit(unit, only=[check])
    assert result.status == "passed", result.detail
