"""All claims, one module per paper."""

from nalm.studies.claims import Claim
from nalm.studies.ledger import paper_001, thesis_002

CLAIMS: tuple[Claim, ...] = (*paper_001.CLAIMS, *thesis_002.CLAIMS)

__all__ = ["CLAIMS"]
