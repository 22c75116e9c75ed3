"""Names of tables."""

from nalm.report.named_tables import NAMED_TABLES
from nalm.studies.catalogue import STUDIES


def test_every_table_a_study_declares_exists() -> None:
    assert {name for study in STUDIES.values() for name in study.tables} == set(NAMED_TABLES)
