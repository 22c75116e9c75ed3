"""A user's store over the runs that ship with the package."""

from __future__ import annotations

import functools
import os
import warnings
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import pandas as pd
import pyarrow as pa

from nalm.store import Store

FOLDER = Path(__file__).parent / "data"
"""A folder per study, each a store."""


class Shipped(Store):
    """Runs of one study that ship with the package; nothing is ever written or renamed there."""

    @functools.cached_property
    def known(self) -> frozenset[str]:
        """The identities of its runs, read once."""
        return frozenset(self.identities())

    def _set_aside(self, path: Path, reason: str) -> None:
        warnings.warn(f"{path} is corrupt ({reason}) and is ignored", RuntimeWarning, stacklevel=4)


def shipped(folder: Path = FOLDER) -> list[Shipped]:
    """The shipped runs, a store per study."""
    return [Shipped(path) for path in sorted(folder.iterdir()) if path.is_dir()]


class _Together(Store):
    """A directory of finished runs, then those of other stores."""

    def __init__(self, directory: str | os.PathLike[str], below: Sequence[Shipped]) -> None:
        super().__init__(directory)
        self.below = list(below)

    def _tables(
        self, only: Sequence[str] = (), leave_out: Sequence[str] = (), seen: set[str] | None = None
    ) -> Iterator[pa.Table]:
        yield from super()._tables(only, leave_out, seen)
        for store in self.below:
            yield from store._tables(only, leave_out, seen)


class Layered(_Together):
    """A directory of finished runs over the shipped ones: what is in both counts as the user's.

    New runs go to the directory. `frame` has a further column, `shipped`.

    Args:
        directory: the user's.
        below: the shipped ones.

    Example:
        >>> import tempfile
        >>> store = Layered(tempfile.mkdtemp(), below=[])
        >>> store.frame()["shipped"].tolist()
        []
    """

    def __init__(self, directory: str | os.PathLike[str], below: Sequence[Shipped] | None = None) -> None:
        super().__init__(directory, shipped() if below is None else below)

    def frame(self, *, curves: bool = False, identities: Collection[str] | None = None) -> pd.DataFrame:
        # Studies that have none of the wanted runs need not be read.
        below = [p for p in self.below if identities is None or not p.known.isdisjoint(identities)]
        frame = _Together(self.directory, below).frame(curves=curves, identities=identities)
        own = Store(self.directory).identities()
        return frame.assign(shipped=[identity not in own for identity in frame["identity"]])
