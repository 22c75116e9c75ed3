"""Verdicts of before."""

from nalm.studies.earlier import OTHER_NAMES, earlier_verdicts
from nalm.studies.ledger import CLAIMS


def test_verdicts_of_claims_there_are() -> None:
    earlier, ids = earlier_verdicts(), {claim.id for claim in CLAIMS}
    assert set(earlier.values()) == {"reproduced", "not reproduced"}
    assert set(OTHER_NAMES) <= ids
    assert len(ids & set(earlier)) > 120
    assert earlier["002-t7.6-frozen"] == "reproduced"
    assert earlier["002-g3-l2-counts"] == earlier["002-g3-l2-counts-flat"]
