"""Every neural arithmetic logic module of the literature, one class each."""

from nalm.units.additive import NAU, NACAdd
from nalm.units.base import BINARY, TERNARY, Noise, Unit, Weight
from nalm.units.multiplicative import NMU
from nalm.units.registry import find_unit, register, units
from nalm.units.sources import Source

__all__ = ["BINARY", "NAU", "NMU", "TERNARY", "NACAdd", "Noise", "Source", "Unit", "Weight", "find_unit", "register", "units"]
