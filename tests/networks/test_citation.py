"""Whom to cite."""

import pytest
from torch import nn

from nalm import NAU, NMU, NACAdd, citation


def test_unit_by_name_class_and_instance() -> None:
    assert citation("NMU") == citation(NMU) == citation(NMU(2, 1))
    assert "author = {Madsen, Andreas and Johansen, Alexander Rosenberg}" in citation(NMU)


def test_each_paper_of_a_model_once() -> None:
    text = citation(nn.Sequential(NAU(2, 2), NMU(2, 2), NACAdd(2, 1)))
    assert text.count("@misc") == 2
    assert "trask2018nalu" in text


def test_nothing_to_cite() -> None:
    with pytest.raises(ValueError, match="no units in the Linear"):
        citation(nn.Linear(2, 1))
    with pytest.raises(TypeError, match="takes a unit"):
        citation(3)  # type: ignore[arg-type]
