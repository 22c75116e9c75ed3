from nalm import Architecture, Layer, Recipe, Run, chunks
from nalm.tasks import composition, single_module
from nalm.tasks.arithmetic import RANGES, two_layer
from nalm.training.structure import together

NMU = Architecture((Layer("NMU", 2, 1),))


def runs(seeds, ranges=tuple(RANGES), recipe=Recipe(), operations=("mul",)):  # noqa: B008
    return [
        Run(NMU, single_module(operation, interpolation=label), recipe, seed)
        for operation in operations
        for label in ranges
        for seed in seeds
    ]


def test_the_published_grid_is_one_chunk():
    (chunk,) = chunks(runs(range(25)))
    assert set(chunk.runs) == set(runs(range(25)))


def test_a_chunk_has_as_many_runs_as_there_are_up_to_its_suppliers_capacity():
    assert [len(chunk.runs) for chunk in chunks(runs(range(26)))] == [225, 9]
    assert [len(chunk.runs) for chunk in chunks(runs([3], ["[1, 2)"]))] == [1]


def test_the_runs_of_a_seed_are_neighbours():
    seeds = [run.seed for run in chunks(runs(range(7)))[0].runs]
    assert seeds == sorted(seeds)


def test_a_run_named_twice_is_trained_once():
    assert len(chunks(runs([0, 0, 1], ["[1, 2)"]))[0].runs) == 2


def test_what_the_code_depends_on_separates_chunks_and_what_it_does_not_joins_them():
    rates = [run for rate in (1e-3, 1e-2) for run in runs([0], recipe=Recipe(learning_rate=rate))]
    assert len(chunks(rates)) == 1
    for other in (Recipe(clip_norm=1.0), Recipe(iterations=1000), Recipe(batch_size=64), Recipe(loss="pcc")):
        assert len(chunks(runs([0]) + runs([0], recipe=other))) == 2
    assert len(chunks(runs([0], operations=("mul", "div")))) == 2


def test_all_expressions_share_their_code():
    network = Architecture((Layer("NAU", 4, 1),))
    both = [Run(network, composition(name), Recipe(), 0) for name in ("add-mul", "div-sub")]
    assert len(chunks(both)) == 1


def wide(units, seeds=range(2), recipe=Recipe(iterations=1000)):  # noqa: B008
    network = Architecture((Layer(units[0], 100, 2), Layer(units[1], 2, 1)))
    return [Run(network, two_layer("mul"), recipe, seed) for seed in seeds]


def test_chunks_with_many_inputs_that_read_the_same_numbers_are_trained_together():
    pairs = ("NAU", "NMU"), ("NACAdd", "NACMul"), ("Linear", "NMU")
    work = chunks([run for pair in pairs for run in wide(pair)])
    assert together(work) == [tuple(work)]
    assert together(work, most=2) == [tuple(work[:2]), tuple(work[2:])]


def test_chunks_with_some_of_the_seeds_of_another_are_trained_with_it():
    some, every, others = (
        wide(pair, seeds)
        for pair, seeds in (
            (("NAU", "NMU"), range(2)),
            (("NACAdd", "NACMul"), range(5)),
            (("Linear", "NMU"), range(3, 7)),
        )
    )
    found = [[len(chunk.runs) for chunk in group] for group in together(chunks(some + every + others))]
    assert found == [[5, 2], [4]]


def test_chunks_that_read_other_numbers_or_few_are_trained_apart():
    usual = wide(("NAU", "NMU"))
    others = (
        wide(("NAU", "NMU"), seeds=[2, 3], recipe=Recipe(iterations=1000, loss="pcc")),
        wide(("NAU", "NMU"), recipe=Recipe(iterations=2000)),
        wide(("NAU", "NMU"), recipe=Recipe(iterations=1000, batch_size=64)),
    )
    for other in others:
        assert [len(group) for group in together(chunks(usual + other))] == [1, 1]
    few = chunks(runs([0]) + runs([0], recipe=Recipe(clip_norm=1.0)))
    assert together(few) == [(chunk,) for chunk in few]
