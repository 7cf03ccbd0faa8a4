"""Inversion of observations from Python."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from plumecast import _native
from plumecast.device import DeviceOptions, open_device
from plumecast.errors import InvalidInput
from plumecast.messages import Messages, Stop
from plumecast.model import found_model

InversionProgress = Callable[[str, int, int], object]
InversionStep = Callable[[Mapping[str, Any]], object]

_PATHS = ("case", "prior", "observations", "output", "model_error")


class Inversion(NamedTuple):
    """What an inversion left in its folder."""

    posterior: str  #: the members, a data set that `Model.predict` takes
    record: Mapping[str, Any]  #: inversion.json: configuration, steps, numbers of the members, warnings


def _read(config: Mapping[str, Any] | str | os.PathLike[str]) -> dict[str, Any]:
    """A configuration; of a file, paths count from its folder."""
    if isinstance(config, Mapping):
        return {name: os.fspath(value) if isinstance(value, os.PathLike) else value for name, value in config.items()}
    path = Path(config)
    try:
        read = json.loads(path.read_text())
    except json.JSONDecodeError as error:
        raise InvalidInput(f"{path}: is no JSON ({error}); correct it") from error
    if not isinstance(read, dict):
        raise InvalidInput(f"{path}: is no configuration (it holds no JSON object); see docs/invert.md")
    for name in _PATHS:
        if isinstance(read.get(name), str) and read[name] and read[name] != "off":
            read[name] = str(path.parent / read[name])
    if isinstance(read.get("model"), str) and read["model"] != "estimate" and (path.parent / read["model"]).exists():
        read["model"] = str(path.parent / read["model"])
    return read


def invert(
    config: Mapping[str, Any] | str | os.PathLike[str],
    resume: bool = False,
    replace: bool = False,
    device: str = "auto",
    threads: int = 0,
    on_progress: InversionProgress | None = None,
    on_step: InversionStep | None = None,
    stop: Stop | None = None,
) -> Inversion:
    """Finds reservoirs that explain observations as a configuration says (docs/invert.md).

    `config` is a mapping, whose paths count from the working directory, or the path of a JSON file, whose paths count
    from its folder; its model is a folder, the name of a shipped model or "estimate". `on_progress` is called with what
    is computed, the cases done and all of them, `on_step` with each step. Where `stop` returns True, the run ends with
    Interrupted, and Ctrl-C ends it with KeyboardInterrupt; `resume` goes on after the last step, to the same bits.
    `replace` replaces files of the results' names that no inversion wrote, and the state of an interrupted run. Raises
    InvalidInput, InvalidData, NotConverged, NotBuilt, OutOfMemory, IoError.
    """
    read = _read(config)
    if isinstance(read.get("model"), str) and read["model"] not in ("", "estimate"):
        read["model"] = found_model(read["model"])
    messages = Messages()

    def step(report: str) -> None:
        if on_step is not None:
            on_step(json.loads(report))

    try:
        _native.invert(
            open_device(DeviceOptions(device, threads, False, 0)),
            json.dumps(read),
            threads,
            resume,
            replace,
            on_progress,
            step,
            stop,
            messages,
        )
    finally:
        messages.tell()
    folder = Path(read["output"])
    return Inversion(str(folder / "posterior.h5"), json.loads((folder / "inversion.json").read_text()))
