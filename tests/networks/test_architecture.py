"""Networks as data."""

import pickle

import pytest
import torch

from nalm import NAU, Architecture, Layer, Stack


def test_paper_name_and_class_name_are_the_same_network() -> None:
    assert Layer("NAC+", 2, 1) == Layer("NACAdd", 2, 1) == Layer("nacadd", 2, 1)
    assert len({Architecture((Layer("NAC+", 2, 1),)), Architecture((Layer("NACAdd", 2, 1),))}) == 1


def test_order_of_options_does_not_matter() -> None:
    assert Layer("NMU", 2, 1, (("b", 1), ("a", 2))) == Layer("NMU", 2, 1, (("a", 2), ("b", 1)))


def test_build_gives_a_fresh_stack() -> None:
    architecture = Architecture((Layer("NAU", 3, 2), Layer("NMU", 2, 1)))
    torch.manual_seed(1)
    stack = architecture.build()
    torch.manual_seed(1)
    expected = NAU(3, 2)
    assert isinstance(stack, Stack)
    assert torch.equal(stack.layers[0].weight, expected.weight)


def test_unit_by_path() -> None:
    layer = Layer("nalm.units.additive:NAU", 2, 1)
    assert layer.unit == "nalm.units.additive:NAU"
    assert isinstance(Architecture((layer,)).build().layers[0], NAU)


def test_pickles_and_prints() -> None:
    architecture = Architecture((Layer("NAU", 3, 2), Layer("NMU", 2, 1, (("option", True),))))
    assert pickle.loads(pickle.dumps(architecture)) == architecture
    assert str(architecture) == "NAU(3, 2) → NMU(2, 1, option=True)"


def test_unknown_unit_is_named() -> None:
    with pytest.raises(ValueError, match=r"unknown unit 'NMUU'; did you mean 'NMU'"):
        Layer("NMUU", 2, 1)


def test_corrections_of_units_are_told_by_name_with_their_options() -> None:
    plain = Architecture((Layer("NMRU", 2, 1), Layer("NAU", 1, 1), Layer("RealNPU", 1, 1)))
    assert plain.revisions() == {}
    corrected = Architecture((Layer("NMRU", 2, 1, (("gated", True),)), Layer("MCFC", 1, 1)))
    assert corrected.revisions() == {"NMRU": 1, "MCFC": 1}
    part = ("RealNPU", (("norm", "l2"),))
    inner = Architecture((Layer("Gated", 2, 1, (("first", part), ("second", ("NMU", ())))),))
    assert inner.revisions() == {"RealNPU": 1}


def test_asking_for_corrections_draws_nothing_from_torchs_generator() -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    Architecture((Layer("NAU", 7, 3),)).revisions()
    assert torch.equal(torch.rand(3), expected)
