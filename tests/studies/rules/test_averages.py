"""Means over runs of several looks at them."""

import dataclasses

import numpy as np
import pytest
from made_up import Cell, MadeUp

from nalm.measuring.outcome import Outcome
from nalm.studies.claims import Place, Verdict, decided
from nalm.studies.rules import Alike, Average, Higher

A, B = (tuple(Place("study", unit, "mul", f"length {n}") for n in (1, 2)) for unit in "AB")


class Given(MadeUp):
    """Runs whose errors are given one by one, the same at every look."""

    def __init__(self, errors: dict[str, list[float]], **how) -> None:
        super().__init__({p: Cell() for p in A + B}, **how)
        self.errors = errors

    def outcomes(self, place, threshold=None):
        errors = self.errors.get(place.unit, [])
        return {k: Outcome(e < 0.5, None, None, 1, None, e, e) for k, e in enumerate(errors)}


def accuracy(published: float, error: float | None = None) -> Average:
    return Average(A, published, 10, "accuracy", error)


def test_a_mean_is_tested_over_runs_not_over_looks() -> None:
    # Ten runs, half of which succeed at both lengths: 20 looks, but the interval is that of 10 runs.
    rule = Average(A, 0.5, 10)
    finding = decided(rule, Given({"A": [0.0] * 5 + [1.0] * 5}, published_seeds=10, seeds=10))
    assert finding.verdict is Verdict.UNDECIDED
    reach = 1.8331 * np.hypot(*[np.std([0] * 5 + [1] * 5, ddof=1) / np.sqrt(10)] * 2)
    assert f"[{-reach:+.3f}, {reach:+.3f}]" in finding.evidence[-1]


def test_accuracies_agree_within_five_per_cent_and_differ_by_students_t() -> None:
    errors = [0.02, 0.03, 0.025, 0.03, 0.02, 0.025, 0.03, 0.02, 0.03, 0.02]
    evidence = Given({"A": errors}, seeds=10, published_seeds=10)
    assert decided(accuracy(0.97, 0.002), evidence).verdict is Verdict.REPRODUCED
    assert decided(accuracy(0.80, 0.002), evidence).verdict is Verdict.NOT_REPRODUCED
    assert decided(accuracy(0.80, 0.140), evidence).verdict is Verdict.UNDECIDED
    cut = Given({"A": errors}, seeds=10, published_seeds=10, iterations=5)
    assert decided(accuracy(0.97, 0.002), cut).verdict is Verdict.CONSISTENT
    assert decided(accuracy(0.80, 0.002), cut).verdict is Verdict.UNDECIDED


def test_runs_without_a_number_read_nothing_right() -> None:
    finding = decided(accuracy(0.0, 0.01), Given({"A": [float("nan"), float("nan")]}))
    assert "mean accuracy 0.000 of 2 runs" in finding.evidence[-1]


def test_higher_is_paired_by_run() -> None:
    base = np.linspace(0, 0.45, 10)  # runs differ far more than the two units do
    noise = 1e-3 * np.cos(np.arange(10))
    evidence = Given({"A": list(base), "B": list(base + 0.02 + noise)}, seeds=10, published_seeds=10)
    assert decided(Higher(A, B, "accuracy"), evidence).verdict is Verdict.REPRODUCED
    assert decided(Higher(B, A, "accuracy"), evidence).verdict is Verdict.NOT_REPRODUCED
    assert decided(Alike(A, B, "accuracy"), evidence).verdict is Verdict.REPRODUCED  # within 0.05
    evidence = Given({"A": list(base + noise), "B": list(base)}, seeds=10, published_seeds=10)
    assert decided(Alike(A, B, "accuracy"), evidence).verdict is Verdict.REPRODUCED
    assert decided(Higher(A, B, "accuracy"), evidence).verdict is Verdict.NOT_REPRODUCED


@pytest.mark.parametrize("runs", [3, 8, 40])
def test_all_signs_or_students_t(runs: int) -> None:
    better = list(np.linspace(0.1, 0.11, runs))
    worse = [error + 0.2 + 0.01 * (k % 3) for k, error in enumerate(better)]
    how = {"seeds": runs, "published_seeds": runs}
    finding = decided(Higher(A, B, "accuracy"), Given({"A": better, "B": worse}, **how))
    assert finding.verdict is Verdict.REPRODUCED
    if runs == 8:
        assert "p = 0.0039" in finding.evidence[-1]  # one of 2⁸ changes of signs


def test_one_run_decides_nothing() -> None:
    for rule in (Average(A, 0.5, 10), Higher(A, B), Alike(A, B)):
        finding = decided(rule, Given({"A": [0.0], "B": [1.0]}, seeds=1))
        assert finding.verdict is Verdict.UNDECIDED
    rule = dataclasses.replace(Average(A, 0.5, 10), looks=A[:1])
    assert decided(rule, Given({})).verdict is Verdict.NOT_YET_RUN
