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
            claim("e"): Finding(Verdict.REPRODUCED, (beside,) * 7),
            claim("f"): Finding(Verdict.REPRODUCED, (beside, "lower in 1, the same in 2, higher in 3")),
            claim("g"): Finding(Verdict.NOT_REPRODUCED, (beside, beside)),
            claim("c"): Finding(Verdict.NOT_YET_RUN, ("3 of 25 seeds",)),
        }
    )
    lines = page.splitlines()
    assert lines[0] == "7 claims: 4 reproduced, 2 not reproduced, 1 not yet run, 0 cannot be tested."
    assert "| `a` | Statement a. | 1 [0.87, 1], n = 25; published 1.00 of 25 seeds | reproduced |" in lines
    assert "| `b` | Statement b. | one: 0.5<br>two: 0.4 | **not reproduced** |" in lines
    assert "| `d` | Statement d. | 0.5 [0.3, 0.7], n = 50; published 0.44 of 50 runs | reproduced |" in lines
    assert "| `e` | Statement e. | 7 cells | reproduced |" in lines
    assert "| `f` | Statement f. | lower in 1, the same in 2, higher in 3 | reproduced |" in lines
    cell = beside.removeprefix("division: ")
    assert f"| `g` | Statement g. | {cell}<br>{cell} | **not reproduced** |" in lines
    assert lines[-1] == "- `c` (not yet run): Statement c."
