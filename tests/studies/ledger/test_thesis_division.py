"""Claims of the chapter on division."""

from opponents import parts

from nalm.studies.ledger.thesis_division import CLAIMS, GROUPS
from nalm.studies.published import published
from nalm.studies.rules import Pooled


def test_every_entry_of_table_5_6_is_claimed() -> None:
    pooled = [c for c in CLAIMS if c.id.startswith("002-t5.6-")]
    assert all(isinstance(part, Pooled) for claim in pooled for part in parts(claim.rule))
    assert len(pooled) == len(published("division")) + len(published("division-redundant")) == 45


def test_groups_are_those_of_table_e_7() -> None:
    assert {setting: len(labels) for setting, labels in GROUPS.items()} == {
        "mixed-signs; uniform": 5,
        "mixed-signs; truncated normal": 3,
        "negative; uniform": 4,
        "positive; uniform": 4,
        "large magnitude; uniform": 2,
        "large magnitude; Benford": 1,
        "close to 0; TN(0,1)[-5,5)": 1,
        "close to 0; uniform, five ranges from 0": 5,
    }
