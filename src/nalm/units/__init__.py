"""Every neural arithmetic logic module of the literature, one class each."""

from nalm.units.additive import NAU, NACAdd
from nalm.units.base import BINARY, TERNARY, Noise, Unit, Weight
from nalm.units.baselines import MLP, Linear, LSTMUnit, Quadratic, ReLU, ReLU6, WeightedProduct
from nalm.units.gated import GNALU, NALU, GatedNAUNMU
from nalm.units.inalu import IMNAC, INAC, INALU
from nalm.units.multiplicative import NMU, NACMul, NACMulNMU, NACMulSigma
from nalm.units.registry import find_unit, register, units
from nalm.units.restart import Restart
from nalm.units.sources import Source

__all__ = [
    "BINARY",
    "GNALU",
    "IMNAC",
    "INAC",
    "INALU",
    "MLP",
    "NALU",
    "NAU",
    "NMU",
    "TERNARY",
    "GatedNAUNMU",
    "LSTMUnit",
    "Linear",
    "NACAdd",
    "NACMul",
    "NACMulNMU",
    "NACMulSigma",
    "Noise",
    "Quadratic",
    "ReLU",
    "ReLU6",
    "Restart",
    "Source",
    "Unit",
    "Weight",
    "WeightedProduct",
    "find_unit",
    "register",
    "units",
]
