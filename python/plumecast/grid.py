"""Times and cells of cases."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from plumecast.cases import Cases

EDGES = {"z": "z_edges", "r": "r_edges", "y": "y_edges", "x": "x_edges"}


def _of_file(path: str, names: list[str]) -> dict[str, Any]:
    """Arrays of the grid of a data set file."""
    try:
        h5py = importlib.import_module("h5py")
    except ImportError as error:
        raise ImportError(
            f"{path}: its grid is not read (h5py is not installed); install plumecast[xarray], or predict Cases of arrays"
        ) from error
    with h5py.File(path) as file:
        return {name: np.asarray(file["grid"][name]) for name in names if name in file["grid"]}


def grid_of(cases: Cases) -> dict[str, Any]:
    """Times and edges of the cells of cases, in memory or in a file."""
    names = ["times", *EDGES.values()]
    if cases.path is not None:
        return _of_file(cases.path, names)
    return {name: np.asarray(cases.arrays[name], float) for name in names if name in cases.arrays}
