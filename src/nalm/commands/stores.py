"""Options that say which finished runs are read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from nalm.store import Store
    from nalm.studies.study import Selection

StoreDirectory = Annotated[
    Path, typer.Option("--store", envvar="NALM_STORE", help="Directory of the finished runs.")
]
DEFAULT_STORE = Path("runs")
WithRecord = Annotated[
    bool | None,
    typer.Option(
        "--record/--no-record",
        help="Also read the runs that ship with the package; the default unless --store is given.",
        show_default=False,
    ),
]


def with_shipped(context: typer.Context, record: bool | None) -> bool:
    """Whether the runs that ship with the package are read."""
    source = context.get_parameter_source("store")
    named = source is not None and source.name == "COMMANDLINE"
    return not named if record is None else record


def readable_store(context: typer.Context, directory: Path, record: bool | None) -> Store:
    """The user's store, over the runs that ship with the package unless these are not wanted."""
    # Tables take long to import, and what is remembered of them may do.
    from nalm.record import Layered
    from nalm.store import Store

    return Layered(directory) if with_shipped(context, record) else Store(directory)


def none_finished(store: Path, study: str, selection: Selection, budget: str) -> LookupError:
    """An error that names the command which trains what is missing."""
    words = filter(None, ("nalm run", study, str(selection), f"--budget {budget}"))
    return LookupError(
        f"{store} holds no finished run of this selection at the {budget} budget: "
        f"train them with `{' '.join(words)}`"
    )
