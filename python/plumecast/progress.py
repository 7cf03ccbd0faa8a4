"""What progress=True shows."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

Progress = Callable[[int, int], object]


class Bar:
    """A bar by tqdm where that is installed, else a line of text on the standard error stream."""

    def __init__(self) -> None:
        self._bar: Any = None

    def __call__(self, done: int, all: int) -> None:
        try:
            tqdm = importlib.import_module("tqdm.auto").tqdm
        except ImportError:
            sys.stderr.write(f"\rpredicting {done} of {all}" + ("\n" if done == all else ""))
            sys.stderr.flush()
            return
        if self._bar is None:
            self._bar = tqdm(total=all, desc="predicting", unit="pass")
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def closed_on_exit(progress: bool | Progress | None) -> tuple[Progress | None, Callable[[], None]]:
    """The function to call, and what to call in the end."""
    if progress is True:
        bar = Bar()
        return bar, bar.close
    return (progress or None), lambda: None
