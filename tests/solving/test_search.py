"""How far a search goes."""

import time

import torch

from nalm.solving.search import Search


def test_a_search_is_over_at_its_deadline():
    assert not Search(torch.Generator(), time.monotonic() + 100).is_over
    assert Search(torch.Generator(), time.monotonic() - 1).is_over
