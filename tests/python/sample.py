"""A case that the shipped model predicts in a fraction of a second, and where the sample files are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import plumecast

REPOSITORY = Path(__file__).resolve().parents[2]
RADIAL = REPOSITORY / "data" / "radial_sample.h5"
SCHEDULES = REPOSITORY / "data" / "radial_schedules.h5"
BOX = REPOSITORY / "data" / "box_sample.h5"
SHAPE = (1, 24, 32, 64)


def arrays(**other: Any) -> dict[str, Any]:
    """1 Mt of CO2 per year into 100 m of homogeneous rock, the well open in the lower half."""
    rock = np.zeros((1, 32, 64))
    rock[:, :16] = 1
    well = np.zeros((1, 32, 64))
    well[:, 8:16, 0] = 1
    return {
        "r_edges": np.append(0.1, np.geomspace(4, 1e5, 64)),
        "z_edges": np.linspace(0, 200, 33),
        "times": np.geomspace(1, 10950, 24),
        "permeability_r": 100 * rock,
        "permeability_z": 10 * rock,
        "porosity": 0.2 * rock,
        "perforation": well,
        "active": rock,
        "injection_rate": np.array([1.0]),
        "initial_pressure": np.array([150.0]),
        "temperature": np.array([60.0]),
        "irreducible_water_saturation": np.array([0.2]),
        "van_genuchten_lambda": np.array([0.5]),
        "thickness": np.array([100.0]),
    } | other


def cases(**other: Any) -> plumecast.Cases:
    return plumecast.Cases(**arrays(**other))


def repeated(count: int) -> dict[str, Any]:
    """The case `count` times, by strides of 0."""
    grid = ("r_edges", "z_edges", "times")
    return {
        name: array if name in grid else np.broadcast_to(array, (count, *array.shape[1:]))
        for name, array in arrays().items()
    }


def model(**options: Any) -> plumecast.Model:
    return plumecast.load("radial-co2-fast", **({"device": "cpu", "threads": 1} | options))
