"""What calls of the library say while they work, and the options that they take."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from plumecast import _native
from plumecast.errors import PlumecastWarning
from plumecast.progress import Progress, closed_on_exit

_LOG = logging.getLogger("plumecast")
_PACKAGE = str(Path(__file__).parent)

Stop = Callable[[], bool]


def warn(message: str) -> None:
    """Warns at the line that called the package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and (
        frame.f_code.co_filename.startswith(_PACKAGE) or frame.f_code.co_filename.endswith("contextlib.py")
    ):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, PlumecastWarning, stacklevel=level)


class Messages:
    """Messages of a call, which are told when it is over: a warning may be made an error."""

    def __init__(self) -> None:
        self._kept: list[tuple[int, str]] = []

    def __call__(self, severity: int, message: str) -> None:
        self._kept.append((severity, message))

    def tell(self) -> None:
        for severity, message in self._kept:
            if severity > 0:
                warn(message)
            else:
                _LOG.info(message)


@contextmanager
def options_of(
    batch: int, limits: bool, progress: bool | Progress | None, stop: Stop | None
) -> Iterator[_native.Options]:
    """Options of a call; in the end the bar of the progress is closed, and messages are told."""
    report, close = closed_on_exit(progress)
    messages = Messages()
    try:
        yield _native.Options(batch, limits, report, stop, messages)
    finally:
        close()
        messages.tell()
