"""Let the documentation render our `Example:` sections as examples: its parser only knows `Examples:`."""

from typing import Any

import griffe


class ExampleSections(griffe.Extension):
    """Rename the section in every docstring while the source is read."""

    def on_instance(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = obj.docstring.value.replace("Example:\n", "Examples:\n")
