"""Arithmetic on handwritten digits: read off pictures, never told what they are."""

from nalm.tasks.digits.colour_task import ColourTask
from nalm.tasks.digits.folds import folds
from nalm.tasks.digits.sequence_task import DigitSequenceTask, digit_product, digit_sum
from nalm.tasks.digits.two_digit_task import TwoDigitTask, two_digits

__all__ = [
    "ColourTask",
    "DigitSequenceTask",
    "TwoDigitTask",
    "digit_product",
    "digit_sum",
    "folds",
    "two_digits",
]
