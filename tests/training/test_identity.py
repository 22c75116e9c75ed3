"""Identities that exist stay as they are, and new optional fields do not change them."""

import csv
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from nalm.studies.catalogue import find_study
from nalm.studies.study import find_budget
from nalm.training.identity import MANY_INPUTS, ROUNDING_ONLY, brought_forward, digest, plain
from nalm.training.recipes import Recipe

with (Path(__file__).parent / "identities.csv").open(newline="") as file:
    FROZEN = list(csv.DictReader(file))


@pytest.mark.parametrize("study", sorted({row["study"] for row in FROZEN}))
def test_identities_frozen_in_a_file_still_hold(study: str) -> None:
    cells = {(c.unit, c.operation, c.label, str(c.inputs)): c for c in find_study(study).cells}
    rows = [row for row in FROZEN if row["study"] == study]
    found = {}
    for row in rows:
        cell = cells[row["unit"], row["operation"], row["label"], row["inputs"]]
        run = cell.run(find_budget(row["budget"]), int(row["seed"]))
        earlier = {**run.configuration, "protocol": ROUNDING_ONLY[run.task.inputs >= MANY_INPUTS]}
        found[row["identity"]] = digest(earlier)
        assert digest(brought_forward(earlier)) == run.identity
    # A correction of a unit or a loss (`revisions`) is a reason to change lines of the file, a field is not.
    assert list(found) == list(found.values())


@dataclass(frozen=True)
class Later(Recipe):
    """A recipe with a field that came later."""

    identity_name = "Recipe"
    patience: int = 0
    order: tuple[str, ...] = field(default_factory=tuple)


def test_a_new_field_at_its_default_changes_nothing() -> None:
    assert plain(Later()) == plain(Recipe())
    assert digest(plain(Later(patience=3))) != digest(plain(Recipe()))
    assert plain(Later(order=("a",)))["order"] == ["a"]


def test_fields_of_the_first_version_are_always_written() -> None:
    assert plain(Recipe())["gradient_noise"] == 0.0


def test_what_json_cannot_hold_is_refused() -> None:
    with pytest.raises(TypeError, match="set cannot be part of a run's configuration"):
        plain({1, 2})
