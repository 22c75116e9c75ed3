"""Names of tables."""

from nalm.report.additions import ADDITIONS
from nalm.studies.catalogue import STUDIES


def test_every_table_a_study_declares_exists() -> None:
    assert {name for study in STUDIES.values() for name in study.tables} == set(ADDITIONS)
