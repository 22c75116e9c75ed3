"""All studies by name."""

from __future__ import annotations

from nalm.studies.comparison_studies import COMPARING
from nalm.studies.composition_studies import COMPOSITION
from nalm.studies.corner_expressions import CORNER_EXPRESSIONS
from nalm.studies.corner_studies import STUDIES as CORNER
from nalm.studies.counting_study import COUNTING
from nalm.studies.digit_pairs import COLOUR_PRODUCT, TWO_DIGIT_PRODUCT, TWO_DIGIT_QUOTIENT
from nalm.studies.digit_sequences import DIGIT_LOSS, DIGIT_PRODUCT, DIGIT_SUM
from nalm.studies.division_ablations import ABLATIONS
from nalm.studies.division_small import DIVISION_SMALL
from nalm.studies.division_studies import DIVISION, DIVISION_REDUNDANT
from nalm.studies.epidemic_study import EPIDEMIC
from nalm.studies.grid_world_study import GRID_WORLD
from nalm.studies.inalu_studies import ORIGINAL
from nalm.studies.logic_studies import LOGIC
from nalm.studies.loss_studies import DIVISION_LOSS, TWO_LAYER_LOSS
from nalm.studies.other_setups import LARGE_SCALE, SIMPLE_FUNCTION
from nalm.studies.own_task import foreign_study
from nalm.studies.perceptrons import PERCEPTRONS
from nalm.studies.program_studies import EVALUATION
from nalm.studies.scaling import SCALING
from nalm.studies.sequence_lengths import SEQUENCE_LENGTHS
from nalm.studies.sequence_studies import ACCUMULATION, SEQUENCES, SEQUENCES_SCALE
from nalm.studies.shortest_paths import SHORTEST_PATHS
from nalm.studies.single_module import SINGLE_MODULE
from nalm.studies.stochastic_studies import STOCHASTIC
from nalm.studies.study import Study
from nalm.studies.two_layer import GATING, TEN_PARAMETER, TWO_LAYER
from nalm.studies.two_layer_sweeps import SWEEPS
from nalm.studies.word_studies import WORDS
from nalm.units.closest import closest

STUDIES: dict[str, Study] = {
    study.name: study
    for study in (
        SINGLE_MODULE,
        TEN_PARAMETER,
        TWO_LAYER,
        GATING,
        *SWEEPS,
        LARGE_SCALE,
        SIMPLE_FUNCTION,
        DIVISION,
        DIVISION_REDUNDANT,
        DIVISION_SMALL,
        *ABLATIONS,
        *STOCHASTIC,
        TWO_LAYER_LOSS,
        DIVISION_LOSS,
        SCALING,
        PERCEPTRONS,
        COMPOSITION,
        LOGIC,
        *COMPARING,
        *CORNER,
        CORNER_EXPRESSIONS,
        SEQUENCES,
        SEQUENCES_SCALE,
        SHORTEST_PATHS,
        SEQUENCE_LENGTHS,
        ACCUMULATION,
        WORDS,
        EVALUATION,
        GRID_WORLD,
        EPIDEMIC,
        COUNTING,
        *ORIGINAL,
        DIGIT_PRODUCT,
        DIGIT_SUM,
        DIGIT_LOSS,
        TWO_DIGIT_PRODUCT,
        TWO_DIGIT_QUOTIENT,
        COLOUR_PRODUCT,
    )
}


def find_study(name: str) -> Study:
    """A study by its name on the command line, or one of your own by `module:name`."""
    if ":" in name:
        return foreign_study(name)
    if name not in STUDIES:
        raise ValueError(f"unknown study {name!r}; {closest(name, STUDIES, 'nalm studies')}")
    return STUDIES[name]
