"""Tables beyond success by range, by name: what `nalm show` adds for studies that declare them."""

from __future__ import annotations

from collections.abc import Callable

from nalm.report.by_length import length_page
from nalm.report.by_operation import operation_page
from nalm.report.composition_tables import readout_page, solved_page
from nalm.report.digit_readings import accuracy_page, reading_page
from nalm.report.equations import equation_page
from nalm.report.operand_signs import sign_page
from nalm.report.paths import path_page
from nalm.report.results import Results
from nalm.report.rules import rule_page
from nalm.report.starting_signs import start_page
from nalm.store import Store

NAMED_TABLES: dict[str, Callable[[Results, Store], str]] = {
    "by-length": length_page,
    "by-operation": operation_page,
    "digit-accuracies": accuracy_page,
    "digits-read": reading_page,
    "equations-learnt": equation_page,
    "expressions-solved": solved_page,
    "formulas-learnt": readout_page,
    "operand-signs": sign_page,
    "rules-learnt": rule_page,
    "shortest-paths": path_page,
    "starting-signs": start_page,
}
"""(results, store) to Markdown, empty where there is nothing to say."""
