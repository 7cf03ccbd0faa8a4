"""Times and cells of cases."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from plumecast.cases import Cases
from plumecast.errors import InvalidInput
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


def shape_of(cases: Cases, path: str) -> tuple[int, ...]:
    """Shape of an array of generic data by its path, in memory or in a file."""
    if cases.path is None:
        return tuple(np.shape(cases.arrays[path]))
    with _opened(cases.path) as file:
        return tuple(file[path].shape)


def grid_of(cases: Cases) -> dict[str, Any]:
    """Times and edges of the cells of cases, in memory or in a file. Raises InvalidInput for generic data."""
    if cases.extents.axes > 0:
        raise InvalidInput(
            f"{cases.path or 'cases in memory'}: generic data have points, no cells (pictures and labelled arrays are of "
            "reservoirs); save the fields, and draw them by the command `plumecast plot`"
        )
    names = ["times", *EDGES.values()]
    if cases.path is not None:
        return _of_file(cases.path, names)
    return {name: np.asarray(cases.arrays[name], float) for name in names if name in cases.arrays}


def _text(attribute: str | bytes) -> str:
    return attribute.decode() if isinstance(attribute, bytes) else attribute


def _generic_of(file: Any, points: int) -> Cases:
    """Cases of grid and inputs of a file of generic data, with so many points along x."""
    arrays: dict[str, Any] = {}
    units: dict[str, str] = {}
    axes = _text(file.attrs["axes"])
    for path in (f"/{group}/{name}" for group in ("grid", "inputs") for name in file.get(group, ())):
        name = {"/grid/times": "times", "/inputs/active": "active"}.get(path, path)
        arrays[name], units[name] = np.asarray(file[path]), _text(file[path].attrs["units"])
        if axes == "x" and _text(file[path].attrs.get("axes", "")) == "N,T":  # in memory a series of a line is a field
            arrays[name] = np.broadcast_to(arrays[name][:, :, None], (*arrays[name].shape, points))
    return Cases.generic(axes, arrays, units)


def in_memory(cases: Cases) -> Cases:
    """Cases of arrays; of a file its inputs are read."""
    if cases.path is None:
        return cases
    with _opened(cases.path) as file:
        if cases.extents.axes > 0:
            return _generic_of(file, cases.extents.columns)
        arrays = {name: np.asarray(array) for group in ("grid", "inputs") for name, array in file[group].items()}
        for name, value in file.attrs.items():
            if dimensions_of(name, "x_edges" in arrays) == ():
                arrays[name] = np.asarray(float(value))
    return Cases(units={}, **arrays)
