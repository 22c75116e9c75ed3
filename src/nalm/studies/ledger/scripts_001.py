"""What the scripts and tables beside 001 report and the paper does not: a source of its own.

The sweep over optimisers and learning rates, and the ablation table at two hidden units, are in the reference
implementation (stable-nalu); no reader of the paper knows of them.
"""

from __future__ import annotations

from nalm.studies.ledger.table_claims import curves, table
from nalm.studies.two_layer_sweeps import ABLATION, OPTIMISER

CLAIMS = (
    *table(ABLATION, lambda cell: "sn-ablation", several=True),
    *curves(
        OPTIMISER, lambda cell: "sn-opt", "optimisers", part=lambda cell: cell.label.partition(", lr")[0]
    ),
)
