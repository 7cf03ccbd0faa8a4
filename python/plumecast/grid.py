"""Times and cells of cases."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from plumecast.cases import Cases
from plumecast.format import dimensions_of

EDGES = {"z": "z_edges", "r": "r_edges", "y": "y_edges", "x": "x_edges"}


def _opened(path: str) -> Any:
    """A data set file by h5py."""
    try:
        return importlib.import_module("h5py").File(path)
    except ImportError as error:
        raise ImportError(
            f"{path}: its arrays are not read (h5py is not installed); install plumecast[xarray], or predict Cases of arrays"
        ) from error


def _of_file(path: str, names: list[str]) -> dict[str, Any]:
    """Arrays of the grid of a data set file."""
    with _opened(path) as file:
        return {name: np.asarray(file["grid"][name]) for name in names if name in file["grid"]}


def grid_of(cases: Cases) -> dict[str, Any]:
    """Times and edges of the cells of cases, in memory or in a file."""
    names = ["times", *EDGES.values()]
    if cases.path is not None:
        return _of_file(cases.path, names)
    return {name: np.asarray(cases.arrays[name], float) for name in names if name in cases.arrays}


def in_memory(cases: Cases) -> Cases:
    """Cases of arrays; of a file its inputs are read."""
    if cases.path is None:
        return cases
    with _opened(cases.path) as file:
        arrays = {name: np.asarray(array) for group in ("grid", "inputs") for name, array in file[group].items()}
        for name, value in file.attrs.items():
            if dimensions_of(name, "x_edges" in arrays) == ():
                arrays[name] = np.asarray(float(value))
    return Cases(units={}, **arrays)
