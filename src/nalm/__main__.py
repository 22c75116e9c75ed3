"""The command `nalm`, also as `python -m nalm`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; an interrupt ends it without a traceback, even while it is being imported."""
    try:
        from nalm.cli import app

        app(prog_name="nalm")
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
