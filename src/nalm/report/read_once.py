"""A store that is asked many times: for a site, whose every page looks something up."""

from __future__ import annotations

from collections.abc import Collection

import pandas as pd

from nalm.store import CURVES, Store


class ReadOnce(Store):
    """The finished runs of a store as they are now; its files are not read again.

    Args:
        store: where the runs are.

    Example:
        >>> import tempfile
        >>> len(ReadOnce(Store(tempfile.mkdtemp())).frame())
        0
    """

    def __init__(self, store: Store) -> None:
        super().__init__(store.directory)
        runs = store.frame(curves=True)
        # Texts as Python's own: they are gone through row by row, again and again.
        self._runs = runs.astype(dict.fromkeys(runs.select_dtypes("string").columns, object))
        self._places: dict[str, int] = {
            identity: place for place, identity in enumerate(self._runs["identity"])
        }

    def identities(self, seen: set[str] | None = None) -> set[str]:
        return set(self._places)

    def frame(self, *, curves: bool = False, identities: Collection[str] | None = None) -> pd.DataFrame:
        runs = self._runs if curves else self._runs.drop(columns=list(CURVES))
        if identities is None:
            return runs
        places = sorted(self._places[identity] for identity in identities if identity in self._places)
        return runs.iloc[places].reset_index(drop=True)
