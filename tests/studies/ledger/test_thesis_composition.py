"""Claims of the chapter on composition."""

from nalm.studies.ledger.thesis_composition import CLAIMS
from nalm.studies.rules import Pooled


def test_every_row_of_table_7_3_is_claimed() -> None:
    rows = [claim for claim in CLAIMS if isinstance(claim.rule, Pooled)]
    assert [round(16 * claim.rule.published) for claim in rows if isinstance(claim.rule, Pooled)] == [
        *(0,) * 8, 4, 0, 3, 5, 7,
    ]  # fmt: skip
    assert all(len(claim.rule.places) == 16 for claim in rows)


def test_seven_expressions_subtract() -> None:
    (claim,) = (claim for claim in CLAIMS if claim.id == "002-s7.3-subtraction")
    assert len(claim.rule.places) == 7


def test_no_stack_names_all_three_stacks() -> None:
    (claim,) = (claim for claim in CLAIMS if claim.id == "002-s7.3-no-stack")
    assert len(claim.rule.places) == 3 * 16
