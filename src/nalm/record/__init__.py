"""The runs that ship with the package: one row each, judged like a user's own, under any threshold."""

from nalm.record.export import export, import_into
from nalm.record.layered import Layered, shipped
from nalm.record.thin import thinned

__all__ = ["Layered", "export", "import_into", "shipped", "thinned"]
