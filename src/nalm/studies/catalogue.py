"""All studies by name."""

from __future__ import annotations

from nalm.studies.single_module import SINGLE_MODULE
from nalm.studies.study import Study

STUDIES: dict[str, Study] = {study.name: study for study in (SINGLE_MODULE,)}


def find_study(name: str) -> Study:
    """A study by its name on the command line."""
    if name not in STUDIES:
        raise ValueError(f"unknown study {name!r}; there are {', '.join(STUDIES)}")
    return STUDIES[name]
