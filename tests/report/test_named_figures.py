"""Names of figures."""

from nalm.report.named_figures import OF_FORMULAS, OF_RESULTS
from nalm.studies.catalogue import STUDIES


def test_every_figure_a_study_declares_exists() -> None:
    declared = {name for study in STUDIES.values() for name in study.figures}
    assert declared == set(OF_RESULTS)


def test_figures_without_runs_do_not_hide_a_study() -> None:
    assert not set(OF_FORMULAS) & set(STUDIES)
