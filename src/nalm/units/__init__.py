"""Every neural arithmetic logic module of the literature, one class each."""

from nalm.units.additive import NAU, NACAdd
from nalm.units.base import BINARY, TERNARY, Noise, Unit, Weight
from nalm.units.baselines import MLP, Linear, LSTMUnit, Quadratic, ReLU, ReLU6, WeightedProduct
from nalm.units.comparison import NSR
from nalm.units.conserving import MCFC, MulMCFC
from nalm.units.corner import CornerNAU, CornerNPU
from nalm.units.elementwise import (
    Arccos,
    Arcsin,
    Arctan,
    Cos,
    Exp,
    Log,
    RealPower,
    Sin,
    Tan,
    Tanh,
)
from nalm.units.factory import Factory
from nalm.units.forms import Form, Kind
from nalm.units.gated import GNALU, NALU, GatedNAUNMU
from nalm.units.hints import TrainingHints
from nalm.units.inalu import IMNAC, INAC, INALU
from nalm.units.logic import NLRL
from nalm.units.multiplicative import NMU, NACMul, NACMulNMU, NACMulSigma
from nalm.units.power import NPU, NaiveNPU, RealNaiveNPU, RealNPU
from nalm.units.reciprocal import NMRU, NRU
from nalm.units.registry import find_unit, register
from nalm.units.registry import units as units  # not in __all__: `nalm.units` is this package
from nalm.units.restart import Restart
from nalm.units.scaled import ScaledNMU
from nalm.units.sources import Source
from nalm.units.stochastic import SNMU, STGNMU

__all__ = [
    "BINARY",
    "GNALU",
    "IMNAC",
    "INAC",
    "INALU",
    "MCFC",
    "MLP",
    "NALU",
    "NAU",
    "NLRL",
    "NMRU",
    "NMU",
    "NPU",
    "NRU",
    "NSR",
    "SNMU",
    "STGNMU",
    "TERNARY",
    "Arccos",
    "Arcsin",
    "Arctan",
    "CornerNAU",
    "CornerNPU",
    "Cos",
    "Exp",
    "Factory",
    "Form",
    "GatedNAUNMU",
    "Kind",
    "LSTMUnit",
    "Linear",
    "Log",
    "MulMCFC",
    "NACAdd",
    "NACMul",
    "NACMulNMU",
    "NACMulSigma",
    "NaiveNPU",
    "Noise",
    "Quadratic",
    "ReLU",
    "ReLU6",
    "RealNPU",
    "RealNaiveNPU",
    "RealPower",
    "Restart",
    "ScaledNMU",
    "Sin",
    "Source",
    "Tan",
    "Tanh",
    "TrainingHints",
    "Unit",
    "Weight",
    "WeightedProduct",
    "find_unit",
    "register",
]
