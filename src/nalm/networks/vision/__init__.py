"""Networks that read numbers off images, and arithmetic units behind them."""

from nalm.networks.vision.colour import ColourDigits
from nalm.networks.vision.digits import DigitClassifier, DigitRegressor, softargmax, standardised
from nalm.networks.vision.heads import Solved, head
from nalm.networks.vision.pooled import convolve_and_pool, sparse_backward
from nalm.networks.vision.sequence import DigitSequence
from nalm.networks.vision.spatial import SpatialTransformer, ThinPlateSpline
from nalm.networks.vision.two_digits import TwoDigits

__all__ = [
    "ColourDigits",
    "DigitClassifier",
    "DigitRegressor",
    "DigitSequence",
    "Solved",
    "SpatialTransformer",
    "ThinPlateSpline",
    "TwoDigits",
    "convolve_and_pool",
    "head",
    "softargmax",
    "sparse_backward",
    "standardised",
]
