"""All claims, by paper and subject."""

from nalm.studies.claims import Claim
from nalm.studies.ledger import (
    digits_001,
    other_papers,
    paper_001,
    scripts_001,
    thesis_002,
    thesis_beyond,
    thesis_composition,
    thesis_digits,
    thesis_dividing_units,
    thesis_division,
    thesis_division_losses,
    thesis_division_traits,
    thesis_inalu,
    thesis_learning,
    thesis_near_zero,
    thesis_operations,
)

CLAIMS: tuple[Claim, ...] = (
    *paper_001.CLAIMS,
    *digits_001.CLAIMS,
    *scripts_001.CLAIMS,
    *thesis_002.CLAIMS,
    *thesis_operations.CLAIMS,
    *thesis_division.CLAIMS,
    *thesis_division_traits.CLAIMS,
    *thesis_near_zero.CLAIMS,
    *thesis_dividing_units.CLAIMS,
    *thesis_division_losses.CLAIMS,
    *thesis_learning.CLAIMS,
    *thesis_composition.CLAIMS,
    *thesis_beyond.CLAIMS,
    *thesis_inalu.CLAIMS,
    *thesis_digits.CLAIMS,
    *other_papers.CLAIMS,
)

__all__ = ["CLAIMS"]
