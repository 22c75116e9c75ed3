"""Let the documentation find names that are imported when first used.

The source says where they are in an `if TYPE_CHECKING:` block, which type checkers read and griffe takes for
names that do not exist at runtime.
"""

from typing import Any

import griffe


class LazyNames(griffe.Extension):
    """Count the names of a module's `__all__` as its own."""

    def on_module_members(self, *, mod: griffe.Module, **kwargs: Any) -> None:
        for name in mod.exports or ():
            member = mod.members.get(str(name))
            if isinstance(member, griffe.Alias):
                member.runtime = True
