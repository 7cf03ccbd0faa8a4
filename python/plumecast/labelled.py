"""Cases from xarray, and fields to xarray: the names of the data set format, units checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import xarray

from plumecast.cases import Cases
from plumecast.errors import InvalidInput
from plumecast.format import dimensions_of, unit_of
from plumecast.grid import EDGES, grid_of

if TYPE_CHECKING:
    from plumecast.fields import Fields

_LONG_NAMES = {
    "z": "depth of the cell centre below the top of the formation",
    "r": "distance of the cell centre from the well axis",
    "y": "cell centre along y",
    "x": "cell centre along x",
}


def cases_of(dataset: xarray.Dataset) -> Cases:
    """Cases of the variables that the data set format knows, and of the attributes that it states; views, no copies.

    Axes that have the names of the format (case, time, z, r, y, x) may come in any order; others come in its order. Every
    variable with a unit states it in its attribute `units`. Coordinates by other names than those of the format are left
    out. Raises InvalidInput for a variable without a unit or of an unknown name.
    """
    is_cartesian = "x_edges" in dataset.variables
    arrays: dict[str, Any] = {}
    units: dict[str, str] = {}
    for key, variable in dataset.variables.items():
        name = str(key)
        dimensions = dimensions_of(name, is_cartesian)
        if dimensions is None and name in dataset.coords:
            continue
        if "units" not in variable.attrs:
            raise InvalidInput(
                f"{name} states no unit (the format wants {unit_of(name) or 'known names and units'}); set its attribute "
                "'units'"
            )
        if dimensions is not None and set(dimensions) == set(variable.dims):
            variable = variable.transpose(*dimensions)
        arrays[name] = variable.values
        units[name] = str(variable.attrs["units"])
    for name, value in dataset.attrs.items():
        if dimensions_of(str(name), is_cartesian) == ():
            arrays[str(name)] = float(value)
    return Cases(units=units, **arrays)


def _coordinates(cases: Cases, dimensions: tuple[str, ...]) -> dict[str, Any]:
    grid = grid_of(cases)
    found: dict[str, Any] = {
        "time": ("time", grid["times"], {"units": "day", "long_name": "time since the start of injection", "axis": "T"})
    }
    for axis in dimensions[2:]:
        edges = grid[EDGES[axis]]
        attributes = {"units": "m", "long_name": _LONG_NAMES[axis], "bounds": f"{axis}_bounds"}
        if axis == "z":
            attributes |= {"positive": "down", "axis": "Z"}
        found[axis] = (axis, (edges[1:] + edges[:-1]) / 2, attributes)
        found[f"{axis}_bounds"] = ((axis, "bounds"), np.stack([edges[:-1], edges[1:]], axis=1))
    return found


def dataset_of(fields: Fields) -> xarray.Dataset:
    """Fields with coordinates, units and long names."""
    is_cartesian = fields.cases.extents.is_cartesian
    dimensions = ("case", "time", "z", "y", "x") if is_cartesian else ("case", "time", "z", "r")
    variables = {
        name: (dimensions, array, {"units": fields.quantities[name].unit, "long_name": fields.quantities[name].long_name})
        for name, array in fields.items()
    }
    attributes = {"Conventions": "CF-1.11", "source": "Plumecast"}
    attributes |= {f"model_{key}" if key == "hash" else "model": text for key, text in fields.model.items()}
    return xarray.Dataset(variables, _coordinates(fields.cases, dimensions), attributes)
