"""Training on a Dask cluster, as `nalm run` and `nalm bench` offer it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from nalm.commands.keeping import Keeper
from nalm.training.agenda import Claim
from nalm.training.checkpoint import Checkpoints
from nalm.training.engine import Progress
from nalm.training.structure import Chunk
from nalm.training.workers import Trained

PATIENCE = 300.0

DaskAddress = Annotated[
    str | None, typer.Option("--dask", metavar="ADDRESS", help="Train on a Dask cluster's workers instead.")
]
SharedStore = Annotated[
    bool,
    typer.Option(
        "--shared-store",
        help="With --dask: workers see the store under the same path and write there themselves.",
    ),
]
Patience = Annotated[
    float,
    typer.Option(min=0.0, help="With --dask: seconds to wait when the cluster has lost all its workers."),
]


@dataclass(frozen=True)
class Cluster:
    """A cluster, and how it is used.

    Attributes:
        address: of its scheduler.
        shared_store: whether its workers write finished runs to the store themselves.
        patience: seconds to wait when no worker is left.
    """

    address: str
    shared_store: bool = False
    patience: float = PATIENCE

    def train(
        self,
        work: Sequence[Chunk],
        progress: Progress,
        checkpoints: Checkpoints,
        claim: Claim,
        keeper: Keeper,
    ) -> Generator[Trained]:
        """Train chunks there."""
        from nalm.training.cluster import train_on_cluster

        return train_on_cluster(
            work,
            self.address,
            progress,
            checkpoints,
            claim,
            keep=keeper if self.shared_store else None,
            patience=self.patience,
        )


def cluster_of(address: str | None, shared_store: bool, patience: float) -> Cluster | None:
    """What the options say; `None` for this machine's own processes."""
    if address is None:
        if shared_store:
            raise ValueError("--shared-store is about a cluster's workers: name the cluster with --dask")
        return None
    return Cluster(address, shared_store, patience)
