"""Training from Python."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from plumecast import _native
from plumecast.cases import Cases
from plumecast.device import DeviceOptions, open_device
from plumecast.errors import InvalidInput
from plumecast.messages import Messages, Stop
from plumecast.model import Model

TrainingProgress = Callable[[int, int, int, int, float], object]
EpochReport = Callable[[Mapping[str, Any]], object]


def _read(recipe: Mapping[str, Any] | str | os.PathLike[str]) -> dict[str, Any]:
    if isinstance(recipe, Mapping):
        return {name: os.fspath(value) if isinstance(value, os.PathLike) else value for name, value in recipe.items()}
    path = os.fspath(recipe)
    try:
        read = json.loads(Path(path).read_text())
    except json.JSONDecodeError as error:
        raise InvalidInput(f"{path}: is no JSON ({error}); correct it") from error
    if not isinstance(read, dict):
        raise InvalidInput(f"{path}: is no recipe (it holds no JSON object); see docs/training.md")
    return read


def train(
    recipe: Mapping[str, Any] | str | os.PathLike[str],
    data: Cases | None = None,
    validation: Cases | None = None,
    resume: bool = False,
    device: str = "auto",
    threads: int = 0,
    on_progress: TrainingProgress | None = None,
    on_epoch: EpochReport | None = None,
    stop: Stop | None = None,
) -> Model:
    """Trains a model as a recipe says (docs/training.md) and loads the best one of the run.

    `recipe` is a mapping or the path of a JSON file; relative paths in it count from the working directory. `data` and
    `validation` are cases with outputs, in the place of the files that the recipe names; those in memory are written
    beside the run's folder first. `on_progress` is called with epoch, epochs, cases done, cases and the loss of the
    last batch, `on_epoch` with what an epoch came to; epoch 0 is the model that a run with `weights` starts from, and
    has no train_loss. Data that violates the format is refused before anything else. Where `stop` returns True, the run
    ends with Interrupted, and Ctrl-C ends it with KeyboardInterrupt; a checkpoint is written first, from which `resume`
    goes on. Raises InvalidInput, InvalidData, OutOfMemory, IoError.
    """
    read = _read(recipe)
    options = DeviceOptions(device, threads, False, 0)
    messages = Messages()

    def epoch(report: str) -> None:
        if on_epoch is not None:
            on_epoch(json.loads(report))

    try:
        _native.train(
            open_device(options),
            json.dumps(read),
            None if data is None else data.native,
            None if validation is None else validation.native,
            resume,
            on_progress,
            epoch,
            stop,
            messages,
        )
    finally:
        messages.tell()
    return Model(str(Path(read["output"]) / "best"), options)
