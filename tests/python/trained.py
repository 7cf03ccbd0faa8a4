"""A small model that is trained here, for tests of derivatives: it takes a fraction of the time of the shipped ones."""

from __future__ import annotations

import tempfile
import unittest
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import plumecast
import sample


def recipe(folder: str, **other: Any) -> dict[str, Any]:
    """A network that is trained in a second."""
    network = {"architecture": "fno", "width": 4, "modes": [2, 2, 2], "fourier_blocks": 1, "hidden": 4, "activation": "gelu"}
    files = {"train": str(sample.RADIAL), "validation": str(sample.RADIAL), "train_cases": 2}
    return {
        "data": files,
        "output": str(Path(folder) / "run"),
        "network": network,
        "fields": ["gas_saturation", "pressure_buildup"],
        "epochs": 2,
        "batch_size": 2,
        "threads": 1,
        "seed": 1,
    } | other


class Trained(unittest.TestCase):
    """Tests with such a model, and with weights for one of its fields."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.enterClassContext(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.epochs: list[Any] = []
        cls.told: list[Any] = []
        cls.model = plumecast.train(
            recipe(cls.folder),
            device="cpu",
            threads=1,
            on_epoch=cls.epochs.append,
            on_progress=lambda *now: cls.told.append(now),
        )
        cls.weights = np.random.default_rng(3).normal(size=sample.SHAPE).astype(np.float32)

    def cases(self, **other: Any) -> plumecast.Cases:
        """The sample on the grid of the training."""
        return sample.cases(**self.model.grid, **other)

    def gradients(self, cases: plumecast.Cases) -> dict[str, Any]:
        """What tensors are to agree with."""
        recording = self.model.record(cases, ["pressure_buildup"], limits=False)
        return recording.pull_back({"pressure_buildup": self.weights})
