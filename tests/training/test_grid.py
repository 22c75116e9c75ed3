from nalm import Architecture, Layer, Recipe, Run, chunks
from nalm.tasks import single_module, two_layer
from nalm.tasks.arithmetic import RANGES, ten_parameter
from nalm.training.grid import ROWS

NMU = Architecture((Layer("NMU", 2, 1),))


def runs(seeds, ranges=tuple(RANGES), recipe=Recipe(), operations=("mul",)):  # noqa: B008
    return [
        Run(NMU, single_module(operation, interpolation=label), recipe, seed)
        for operation in operations
        for label in ranges
        for seed in seeds
    ]


def test_the_published_grid_fills_one_chunk():
    (chunk,) = chunks(runs(range(25)))
    assert len(chunk.cells) == 225
    assert None not in chunk.cells
    assert set(chunk.runs) == set(runs(range(25)))


def test_every_run_lies_in_a_row_of_its_own_seed():
    for chunk in chunks(runs(range(7), operations=("mul", "div", "add"))):
        columns = chunk.structure.columns
        for place, run in enumerate(chunk.cells):
            assert run is None or run.seed == chunk.seeds[place // columns]


def test_few_seeds_with_many_settings_share_a_chunk():
    work = chunks(runs(range(5), operations=("add", "sub", "mul", "div")))
    assert len(work) == 1
    assert len(work[0].runs) == 180


def test_all_chunks_of_a_structure_have_one_shape_whatever_their_number_of_runs():
    for wanted in (runs([3], ["[1, 2)"]), runs(range(30))):
        for chunk in chunks(wanted):
            assert (len(chunk.seeds), len(chunk.cells)) == (ROWS, chunk.structure.width)


def test_a_run_named_twice_is_trained_once():
    assert len(chunks(runs([0, 0, 1], ["[1, 2)"]))[0].runs) == 2


def test_what_the_code_depends_on_separates_chunks_and_what_it_does_not_joins_them():
    rates = [run for rate in (1e-3, 1e-2) for run in runs([0], recipe=Recipe(learning_rate=rate))]
    assert len(chunks(rates)) == 1
    clipped = runs([0]) + runs([0], recipe=Recipe(clip_norm=1.0))
    assert len(chunks(clipped)) == 2
    lengths = runs([0]) + runs([0], recipe=Recipe(iterations=1000))
    assert len(chunks(lengths)) == 2


def test_a_large_network_gets_one_column():
    for hidden, columns in ((4, 9), (100, 1)):
        network = Architecture((Layer("MLP", 2, 1, (("hidden", hidden), ("layers", 2))),))
        (chunk,) = chunks([Run(network, single_module("mul"), Recipe(), 0)])
        assert chunk.structure.columns == columns


def test_many_inputs_get_one_column():
    network = Architecture((Layer("NAU", 100, 2), Layer("NMU", 2, 1)))
    (chunk,) = chunks([Run(network, two_layer("mul"), Recipe(), seed) for seed in range(25)])
    assert chunk.structure.columns == 1
    assert len(chunk.runs) == 25


def test_a_hundred_seeds_of_stacked_units_with_few_inputs_share_a_chunk():
    network = Architecture((Layer("NAU", 4, 2), Layer("NMU", 2, 1)))
    (chunk,) = chunks([Run(network, ten_parameter(), Recipe(), seed) for seed in range(100)])
    assert None not in chunk.cells
