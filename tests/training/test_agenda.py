"""Which chunks a worker trains next, and what becomes of those it could not train."""

import dataclasses
from collections.abc import Iterable

from nalm import Architecture, Layer, Recipe, Run, chunks
from nalm.tasks import single_module
from nalm.training.agenda import Agenda, describe
from nalm.training.structure import Chunk

SHORT = Recipe(iterations=4, evaluate_every=2)


def runs_of(unit: str, seeds: Iterable[int] = range(2)) -> list[Run]:
    network = Architecture((Layer(unit, 2, 1),))
    return [Run(network, single_module("add"), SHORT, seed) for seed in seeds]


def test_an_agenda_keeps_structures_with_those_who_compiled_them() -> None:
    work = chunks([*runs_of("NMU", range(500)), *runs_of("NAU", range(300)), *runs_of("NRU")])
    nmu, nau, nru = (
        [c for c in work if c.structure.architecture.layers[0].unit == n] for n in ("NMU", "NAU", "NRU")
    )
    agenda = Agenda([(chunk,) for chunk in work])
    first, second = {(nmu[0].structure,)}, {(nau[0].structure,)}
    assert agenda.next(set()) == (nmu[0],)  # the largest group
    assert agenda.next(set()) == (nau[0],)
    assert agenda.next(second) == (nau[1],)
    assert agenda.next(second) == (nru[0],)  # a new structure rather than another's
    assert agenda.next(second) == (nmu[1],)
    assert agenda.next(first) == (nmu[2],)
    assert agenda.next(first) is None


def test_a_group_that_fails_is_tried_again_chunk_by_chunk() -> None:
    one, other = chunks([*runs_of("NMU"), *runs_of("NAU")])
    agenda = Agenda([(one, other)])
    group = agenda.next(set())
    assert group == (one, other)
    assert agenda.failed(group, "out of memory") == []
    assert {agenda.next(set()), agenda.next(set())} == {(one,), (other,)}
    assert agenda.failed((one,), "out of memory") == [(one, "out of memory")]
    assert agenda.next(set()) is None


def test_a_chunk_is_given_up_when_two_workers_died_with_it() -> None:
    (chunk,) = chunks(runs_of("NMU"))
    agenda = Agenda([(chunk,)])
    assert agenda.next(set()) == (chunk,)
    assert agenda.died((chunk,), "its worker died") == []
    assert agenda
    assert agenda.next(set()) == (chunk,)
    assert agenda.died((chunk,), "its worker died") == [(chunk, "its worker died, 2 times")]
    assert not agenda


def test_a_worker_that_dies_with_a_group_may_have_died_of_any_of_them() -> None:
    one, other = chunks([*runs_of("NMU"), *runs_of("NAU")])
    agenda = Agenda([(one, other)])
    group = agenda.next(set())
    assert group is not None
    assert agenda.died(group, "its worker died") == []
    assert {agenda.next(set()), agenda.next(set())} == {(one,), (other,)}
    assert agenda.died((one,), "its worker died") == [(one, "its worker died, 2 times")]


def test_only_what_is_claimed_is_given_out() -> None:
    work = chunks([*runs_of("NMU"), *runs_of("NAU"), *runs_of("NRU")])
    asked: list[Chunk] = []

    def claim(chunk: Chunk) -> Chunk | None:
        asked.append(chunk)
        return None if chunk == work[0] else dataclasses.replace(chunk, runs=chunk.runs[:1])

    agenda = Agenda([(chunk,) for chunk in work], claim)
    assert agenda.next(set()) == tuple(chunks(work[1].runs[:1]))
    assert asked == work[:2]  # nothing is claimed before its turn
    assert agenda.next(set()) == tuple(chunks(work[2].runs[:1]))
    assert agenda.next(set()) is None


def test_a_chunk_in_words() -> None:
    assert describe(chunks(runs_of("NAU"))[0]) == "NAU(2, 1), add, 4 iterations, 2 runs"
