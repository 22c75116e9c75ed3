"""Verdicts as Markdown."""

from nalm.report.ledger import ledger_page
from nalm.studies.claims import Claim, Finding, Verdict
from nalm.studies.rules import Untestable

RULE = Untestable("made up")


def claim(name: str) -> Claim:
    return Claim(name, f"Statement {name}.", "a table", RULE)


def test_counts_numbers_and_what_is_open() -> None:
    beside = "division: NRU, div, [1, 2): 1 [0.87, 1], n = 25; published 1.00 of 25 seeds"
    pooled = ("one: 1", "together 0.5 [0.3, 0.7], n = 50; published 0.44 of 50 runs")
    page = ledger_page(
        {
            claim("a"): Finding(Verdict.REPRODUCED, (beside,)),
            claim("b"): Finding(Verdict.NOT_REPRODUCED, ("one: 0.5", "two: 0.4")),
            claim("d"): Finding(Verdict.REPRODUCED, pooled),
            claim("e"): Finding(Verdict.REPRODUCED, (beside, beside)),
            claim("c"): Finding(Verdict.NOT_YET_RUN, ("3 of 25 seeds",)),
        }
    )
    lines = page.splitlines()
    assert lines[0] == "5 claims: 3 reproduced, 1 not reproduced, 1 not yet run, 0 cannot be tested."
    assert "| `a` | Statement a. | 1 [0.87, 1], n = 25; published 1.00 of 25 seeds | reproduced |" in lines
    assert "| `b` | Statement b. | – | **not reproduced** |" in lines
    assert "| `d` | Statement d. | 0.5 [0.3, 0.7], n = 50; published 0.44 of 50 runs | reproduced |" in lines
    assert "| `e` | Statement e. | – | reproduced |" in lines  # several numbers: `nalm claims e` lists them
    assert lines[-1] == "- `c` (not yet run): Statement c."
