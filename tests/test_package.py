import subprocess
import sys

import pytest

import nalm
from nalm import solving

SCRIPT = """
import sys, nalm
assert not {"sklearn", "pandas"} & sys.modules.keys()
from nalm import ArithmeticRegressor
assert "sklearn" in sys.modules
"""


def test_the_solver_is_imported_when_it_is_first_used():
    subprocess.run([sys.executable, "-c", SCRIPT], check=True)


def test_everything_the_solver_offers_is_offered_by_the_package():
    assert set(solving.__all__) <= set(dir(nalm))
    assert all(getattr(nalm, name) is getattr(solving, name) for name in solving.__all__)
    assert nalm.solve is solving.solve


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'NUM'"):
        nalm.NUM  # noqa: B018
