"""How units under test are built and fed."""

import torch

from nalm import MCFC, NAU, NMU
from nalm.conformance.subject import AWAY_FROM_ZERO, Subject, discrete_settings


def test_inputs_stay_in_the_domain_and_away_from_zero() -> None:
    class Positive(NMU):
        domain = (0.0, 1.0)

    x = Subject(Positive).inputs(1000)
    assert AWAY_FROM_ZERO <= x.min() <= x.max() <= 1.0
    y = Subject(NMU).inputs(1000)
    assert y.abs().min() >= AWAY_FROM_ZERO
    assert -2 <= y.min() < -1.5 < 1.5 < y.max() <= 2


def test_all_settings_if_few_else_a_sample() -> None:
    settings = [setting["weight"].flatten().tolist() for setting in discrete_settings(NMU(2, 1), 4)]
    assert settings == [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    sampled = list(discrete_settings(NAU(3, 2), 5))
    assert len(sampled) == 5
    assert {value for setting in sampled for value in setting["weight"].unique().tolist()} == {-1.0, 0.0, 1.0}


def test_the_same_seed_gives_the_same_unit_whatever_the_callers_state() -> None:
    first = Subject(NMU).build(seed=3)
    torch.rand(7)
    assert torch.equal(first.weight, Subject(NMU).build(seed=3).weight)
    assert not torch.equal(first.weight, Subject(NMU).build(seed=4).weight)


def test_shares_have_one_one_along_their_dimension() -> None:
    settings = [setting["weight"].tolist() for setting in discrete_settings(MCFC(1, 2), 8)]
    assert settings[::4] == [[[1.0], [0.0]], [[0.0], [1.0]]]
