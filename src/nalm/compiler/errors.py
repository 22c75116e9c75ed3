"""What the compiler says when it cannot."""


class Unsupported(Exception):
    """A function does something that has no rule here; the message names the operation."""


class NoCompiler(RuntimeError):
    """There is no C compiler, or it does not work."""
