"""What calls of the library say while they work, and the options that they take."""

from __future__ import annotations

import logging
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from plumecast import _native
from plumecast.errors import InvalidInput, PlumecastWarning
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
        for (severity, message), times in Counter(self._kept).items():
            text = message if times == 1 else f"{message} (said {times} times)"
            if severity > 0:
                warn(text)
            else:
                _LOG.info(text)


class Judging(NamedTuple):
    """How the results of a prediction are judged: see Model.predict()."""

    extrapolate: str = "refuse"
    buildup_limit: float | None = None
    strict: bool = False

    def checked(self) -> tuple[bool, float, bool]:
        """As the library takes them: whether NaN is left, the limit [bar] with 0 for none, and strictness."""
        if self.extrapolate not in ("refuse", "nan"):
            raise InvalidInput(f"extrapolate is {self.extrapolate!r} ('refuse' and 'nan' are known); give one of them")
        if self.buildup_limit is not None and not self.buildup_limit > 0:
            raise InvalidInput(
                f"the limit of the build-up is {self.buildup_limit} bar (build-ups are compared with it); "
                "give one above 0, or none"
            )
        return self.extrapolate == "nan", self.buildup_limit or 0.0, self.strict


@contextmanager
def options_of(
    batch: int,
    limits: bool,
    progress: bool | Progress | None,
    stop: Stop | None,
    judging: Judging = Judging(),
    verdict: Callable[[int, int, str], None] | None = None,
    uncertainty: bool = False,
) -> Iterator[_native.Options]:
    """Options of a call; in the end the bar of the progress is closed, and messages are told."""
    leaves_nan, buildup_limit, strict = judging.checked()
    report, close = closed_on_exit(progress)
    messages = Messages()
    try:
        yield _native.Options(batch, limits, report, stop, messages, leaves_nan, buildup_limit, strict, verdict, uncertainty)
    finally:
        close()
        messages.tell()
