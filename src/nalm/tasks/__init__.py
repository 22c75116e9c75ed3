"""What there is to learn."""

from nalm.tasks.arithmetic import (
    OPERATIONS,
    RANGES,
    ArithmeticTask,
    Operation,
    find_range,
    single_module,
    ten_parameter,
    two_layer,
)
from nalm.tasks.composition import CUMULATIVE, EXPRESSIONS, CompositionTask, composition, expressions
from nalm.tasks.dataset import Dataset, Samples
from nalm.tasks.division import mixed_operands, mixed_signs, near_zero
from nalm.tasks.replay import ReplayStream
from nalm.tasks.sampling import Benford, Distribution, Exponential, Halves, TruncatedNormal, Uniform, Union
from nalm.tasks.supply import EvaluationBatch, Supplier, Table, Task
from nalm.tasks.variants import large_scale_arithmetic, simple_function

__all__ = [
    "CUMULATIVE",
    "EXPRESSIONS",
    "OPERATIONS",
    "RANGES",
    "ArithmeticTask",
    "Benford",
    "CompositionTask",
    "Dataset",
    "Distribution",
    "EvaluationBatch",
    "Exponential",
    "Halves",
    "Operation",
    "ReplayStream",
    "Samples",
    "Supplier",
    "Table",
    "Task",
    "TruncatedNormal",
    "Uniform",
    "Union",
    "composition",
    "expressions",
    "find_range",
    "large_scale_arithmetic",
    "mixed_operands",
    "mixed_signs",
    "near_zero",
    "simple_function",
    "single_module",
    "ten_parameter",
    "two_layer",
]
