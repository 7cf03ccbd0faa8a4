"""The command `plumecast`, which the package brings: the executable of the library, with the models of the package."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_PACKAGE = Path(__file__).parent


def executable() -> Path | None:
    """The executable within the package; None where the package was made without it."""
    found = _PACKAGE / "bin" / "plumecast"
    return found if found.is_file() else None


def main() -> int:
    """Becomes the executable, with the arguments of this process; docs/cli.md is its manual."""
    found = executable()
    if found is None:
        print(
            "plumecast: this package was made without the executable (its wheel was built over a library that has none, or for an "
            "old C library); install Plumecast by CMake, or build the wheel with PLUMECAST_APPS on",
            file=sys.stderr,
        )
        return 1
    listed = os.environ.get("PLUMECAST_MODELS")
    models = str(_PACKAGE / "models")
    os.environ["PLUMECAST_MODELS"] = f"{listed}:{models}" if listed else models
    sys.stdout.flush()
    os.execv(found, [str(found), *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
