"""The parameters a run starts from."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from nalm.networks.architecture import NetworkDescription, redraw


def initial_parameters(architecture: NetworkDescription, seed: int, redraws: int = 1) -> dict[str, Tensor]:
    """A network's parameters as a run of this seed starts with them, by name.

    Like the reference code, which draws once in the constructor and once more before training, the network
    is built and then redrawn; every later start of the run is the next draw of the same sequence.

    Args:
        architecture: the network.
        seed: of the run; torch's own generator is left as it was.
        redraws: 1 for the start of the run, 1 + n for its n-th restart.

    Example:
        >>> from nalm import Architecture, Layer
        >>> nmu = Architecture((Layer("NMU", 2, 1),))
        >>> start = initial_parameters(nmu, seed=0)["layers.0.weight"]
        >>> bool(((start >= 0.25) & (start <= 0.75)).all())
        True
        >>> torch.equal(start, initial_parameters(nmu, seed=0)["layers.0.weight"])
        True
    """
    network = initial_network(architecture, seed, redraws)
    return {name: value.detach() for name, value in network.named_parameters()}


def initial_network(architecture: NetworkDescription, seed: int, redraws: int = 1) -> nn.Module:
    """The network whose parameters these are; arguments as for `initial_parameters`."""
    with torch.random.fork_rng(devices=[]):
        # `torch.manual_seed` would also make a list of calls for the generators of devices, each time.
        torch.default_generator.manual_seed(seed)
        network = architecture.build()
        for _ in range(redraws):
            redraw(network)
    return network
