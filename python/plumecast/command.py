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


def _installed() -> Path | None:
    """An executable on the path that is none of Python's, which would come here again."""
    for folder in os.get_exec_path():
        found = Path(folder) / "plumecast"
        if os.access(found, os.X_OK) and found.is_file():
            with found.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    return found
    return None


def main() -> int:
    """Becomes the executable, with the arguments of this process; docs/cli.md is its manual."""
    found = executable() or _installed()
    if found is None:
        print(
            "plumecast: this package was made without the executable (its wheel was built over a library or for an old C library), and "
            "none is on the path; install Plumecast by CMake, or build the wheel with PLUMECAST_APPS on",
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
