"""Whom to cite."""

from __future__ import annotations

from torch import nn

from nalm.networks.model import units_in
from nalm.units.base import Unit
from nalm.units.registry import find_unit


def citation(what: str | type[Unit] | nn.Module) -> str:
    """BibTeX of the papers behind a unit (name, class or instance) or behind all units of a model.

    Example:
        >>> from nalm import NMU, citation
        >>> print(citation(NMU))
        @misc{madsen2020nau,
          author = {Madsen, Andreas and Johansen, Alexander Rosenberg},
          title = {{Neural Arithmetic Units}},
          howpublished = {ICLR},
          year = {2020},
          url = {https://arxiv.org/abs/2001.05016}
        }
    """
    if isinstance(what, str):
        what = find_unit(what)
    if isinstance(what, type) and issubclass(what, Unit):
        found = [what.source]
    elif isinstance(what, nn.Module):
        found = [unit.source for _, unit in units_in(what)]
    else:
        raise TypeError(f"citation takes a unit, its name, or a model with units in it, got {what!r}")
    if not found:
        raise ValueError(f"there are no units in the {type(what).__name__}, so nothing to cite")
    return "\n\n".join(source.bibtex for source in dict.fromkeys(found))
