"""The published experiments and their numbers."""

from nalm.studies.published import published

__all__ = ["published"]
