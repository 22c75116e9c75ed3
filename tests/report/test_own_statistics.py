"""What the published runs say about the published means."""

from pathlib import Path

from nalm.report.own_statistics import means, thresholds

RESULTS = Path(__file__).parents[2] / "results"


def test_the_committed_tables_are_what_is_computed() -> None:
    assert (RESULTS / "published-means.md").read_text(encoding="utf-8") == means()
    assert (RESULTS / "published-thresholds.md").read_text(encoding="utf-8") == thresholds()


def test_halved_and_unconverged_means_stand_out_and_right_ones_do_not() -> None:
    lines = {line.split(" | ")[0] + line.split(" | ")[1]: line for line in means().splitlines()[2:]}
    assert "| 0.23 | **0.45** |" in lines["| NACAddadd"]
    assert "| 1,446,751 | **3,041,429** |" in lines["| Linearsub"]
    assert "| 390,919 | **189,570** |" in lines["| NAUadd"]
    assert "| NMUmul" not in lines


def test_the_slip_matters_for_short_subsets() -> None:
    ratios = {
        line.split(" | ")[0]: float(line.split(" | ")[-1].strip("| "))
        for line in thresholds().splitlines()[2:]
    }
    assert ratios["| mul, 4 inputs"] < 0.2
    assert abs(ratios["| mul"] - 1) < 0.01
