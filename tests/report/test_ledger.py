"""Verdicts as Markdown."""

from nalm.report.ledger import ledger_page
from nalm.studies.claims import Claim, Finding, Verdict
from nalm.studies.rules import Untestable

RULE = Untestable("made up")


def claim(name: str) -> Claim:
    return Claim(name, f"Statement {name}.", "a table", RULE)


def test_counts_numbers_and_what_is_open() -> None:
    beside = "division: NRU, div, [1, 2): 25 of 25, published 25 of 25; difference +0.00 [-0.10, +0.10]"
    pooled = ("one: 1", "together 25 of 50, published 22 of 50; p = 0.5")
    page = ledger_page(
        {
            claim("a"): Finding(Verdict.REPRODUCED, (beside,)),
            claim("b"): Finding(Verdict.NOT_REPRODUCED, ("study: one", "study: two")),
            claim("d"): Finding(Verdict.REPRODUCED, pooled),
            claim("e"): Finding(Verdict.CONSISTENT, (beside,) * 7),
            claim("f"): Finding(
                Verdict.UNDECIDED,
                (beside, "lower in 1"),
                needs="about 60 seeds would decide it",
                beside="by the other threshold reproduced",
            ),
            claim("002-t7.4-gated"): Finding(Verdict.NOT_REPRODUCED, ("study: 0 of 8",)),
            claim("c"): Finding(Verdict.NOT_YET_RUN, ("no finished run",)),
        }
    )
    lines = page.splitlines()
    counted = "2 reproduced, 2 not reproduced, 1 undecided, 1 consistent, 1 not yet run, 0 cannot be tested"
    assert lines[0] == f"7 claims: {counted}."
    cell = beside.removeprefix("division: ")
    assert f"| `a` | Statement a. | {cell} | – | reproduced |" in lines
    assert "| `b` | Statement b. | one<br>two | – | **not reproduced** |" in lines
    assert "| `d` | Statement d. | 25 of 50, published 22 of 50; p = 0.5 | – | reproduced |" in lines
    assert "| `e` | Statement e. | 7 lines: `nalm claims ID` lists them | – | consistent |" in lines
    assert (
        "| `f` | Statement f. | lower in 1<br>about 60 seeds would decide it<br>by the other "
        "threshold reproduced | – | undecided |"
    ) in lines
    # The verdict under the earlier rules stays beside the new one.
    last = "| `002-t7.4-gated` | Statement 002-t7.4-gated. | 0 of 8 | reproduced | **not reproduced** |"
    assert last in lines
    assert lines[-1] == "- `c` (not yet run): Statement c."
