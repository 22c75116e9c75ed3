"""How far a search goes."""

import time

import torch

from nalm.solving.network.limits import SearchLimits


def test_a_search_is_over_at_its_deadline():
    assert not SearchLimits(torch.Generator(), time.monotonic() + 100).is_over
    assert SearchLimits(torch.Generator(), time.monotonic() - 1).is_over
