"""The stages of the search, in the order they are tried: from the cheapest to the most general."""

from nalm.solving.formula.stages.beside_noisy_symmetries import BESIDE_NOISY_SYMMETRIES
from nalm.solving.formula.stages.beside_symmetries import BESIDE_SYMMETRIES
from nalm.solving.formula.stages.factored import FACTORED
from nalm.solving.formula.stages.found_radicands import FOUND_RADICANDS
from nalm.solving.formula.stages.function_products import FUNCTION_PRODUCTS
from nalm.solving.formula.stages.homogeneous import HOMOGENEOUS
from nalm.solving.formula.stages.mean import MEAN
from nalm.solving.formula.stages.monomial import MONOMIAL
from nalm.solving.formula.stages.noisy_functions import NOISY_FUNCTIONS
from nalm.solving.formula.stages.noisy_symmetries import NOISY_SYMMETRIES
from nalm.solving.formula.stages.peeled import PEELED
from nalm.solving.formula.stages.relation import AFFINE, RELATION
from nalm.solving.formula.stages.root_relations import ROOT_RELATIONS
from nalm.solving.formula.stages.short_formulas import SHORT_FORMULAS
from nalm.solving.formula.stages.signomial import SIGNOMIAL
from nalm.solving.formula.stages.sparse import SPARSE
from nalm.solving.formula.stages.stage import Stage
from nalm.solving.formula.stages.transcendental import FUNCTIONS

STAGES: tuple[Stage, ...] = (
    MEAN,
    AFFINE,
    MONOMIAL,
    RELATION,
    HOMOGENEOUS,
    ROOT_RELATIONS[0],
    FUNCTION_PRODUCTS,
    PEELED[0],
    SPARSE[0],
    NOISY_SYMMETRIES,
    BESIDE_SYMMETRIES,
    SPARSE[1],
    NOISY_SYMMETRIES,
    *ROOT_RELATIONS[1:3],
    SHORT_FORMULAS,
    FOUND_RADICANDS,
    PEELED[1],
    BESIDE_NOISY_SYMMETRIES,
    FUNCTIONS[0],
    ROOT_RELATIONS[3],
    FACTORED[0],
    *FUNCTIONS[1:],
    NOISY_FUNCTIONS,
    SIGNOMIAL[0],
    FACTORED[1],
    SIGNOMIAL[1],
    FACTORED[2],
    SIGNOMIAL[2],
    *FACTORED[3:],
)
"""A stage is a file of this folder and a line of this list. One that occurs twice is for noise, which
may not be known of at first; none is tried twice."""
