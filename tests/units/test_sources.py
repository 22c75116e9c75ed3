"""The papers."""

import re

import pytest

from nalm import Source
from nalm.units import sources, units

PAPERS = [value for value in vars(sources).values() if isinstance(value, Source)]


def test_short_form() -> None:
    assert str(sources.NALU_PAPER) == "Trask et al. 2018"
    assert str(sources.NAU_PAPER) == "Madsen & Johansen 2020"
    assert str(sources.THESIS) == "Mistry 2023"


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.key)
def test_bibtex_is_well_formed(paper: Source) -> None:
    text = paper.bibtex
    assert re.match(r"@\w+\{\w+,\n", text)
    assert text.count("{") == text.count("}")
    assert f"year = {{{paper.year}}}" in text
    assert paper.url.startswith("https://")


def test_keys_are_unique_and_every_unit_has_a_paper() -> None:
    assert len({paper.key for paper in PAPERS}) == len(PAPERS)
    assert {unit.source for unit in units().values()} <= set(PAPERS)
