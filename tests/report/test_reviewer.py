"""Verdicts by source, and lists of claims."""

from nalm.report.reviewer import listed, verdicts_by_source
from nalm.studies.claims import Claim, Finding, Verdict
from nalm.studies.rules import Untestable

LEDGER = {
    Claim("001-a", "A holds.", "table 1", Untestable("x")): Finding(Verdict.REPRODUCED, ("study: 5 of 5",)),
    Claim("002-b", "B holds.", "table 2", Untestable("x")): Finding(
        Verdict.NOT_REPRODUCED, ("study: 0 of 5",)
    ),
}


def test_counts() -> None:
    lines = verdicts_by_source(LEDGER).splitlines()
    assert lines[2] == "| 001, the NAU/NMU paper | 1 | 1 | 0 | 0 | 0 | 0 | 0 |"
    assert lines[4].startswith("| 002, the thesis | 1 | 0 | 1 |")


def test_a_list_has_statement_place_numbers_and_command() -> None:
    assert "| B holds. | table 2 | 0 of 5 | `nalm claims 002-b` |" in listed(LEDGER, Verdict.NOT_REPRODUCED)
    assert listed(LEDGER, Verdict.UNDECIDED) == "None.\n"
