"""Predicted fields."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumecast.cases import Cases
from plumecast.quantity import Quantity
from plumecast.series import Series, measured

if TYPE_CHECKING:
    import matplotlib.figure
    import xarray


class CaseVerdict(NamedTuple):
    """How far the fields of a case are to be trusted: "good", "doubtful" or "bad", and why where it is not good."""

    case: int
    trust: str
    reasons: str


class Fields(Mapping[str, "NDArray[Any]"]):
    """Predicted fields by their names: arrays [N, T, Z, R] or [N, T, Z, Y, X] in physical units, NaN in inactive cells.

    Of generic data they have the axes that outputs have there: [N, X], [N, T, Y, X] ...

    They are the caller's own and outlive the model. `cases` are those that were predicted, `model` says by which.
    """

    def __init__(
        self,
        arrays: Mapping[str, NDArray[Any]],
        cases: Cases,
        quantities: Mapping[str, Quantity],
        model: Mapping[str, str],
        verdicts: Iterable[CaseVerdict] = (),
    ) -> None:
        self._arrays = dict(arrays)
        self._quantities = {name: quantities[name] for name in self._arrays}
        self.cases = cases
        self.model = dict(model)  #: title and hash of the model
        self.verdicts = tuple(verdicts)  #: one for each case of a prediction

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    @property
    def quantities(self) -> Mapping[str, Quantity]:
        """Units, axes and long names of the fields."""
        return self._quantities

    def __repr__(self) -> str:
        lines = [f"Fields of {self.model.get('title', 'a model')}"]
        for name, array in self._arrays.items():
            low, high = np.fmin.reduce(array, axis=None), np.fmax.reduce(array, axis=None)
            span = "no values " if np.isnan(low) else f"{low:.4g} to {high:.4g} "
            lines.append(f"  {name} {array.dtype} {array.shape}: {span}{self._quantities[name].unit}")
        return "\n".join(lines)

    def to_xarray(self) -> xarray.Dataset:
        """The fields as an xarray.Dataset with coordinates and the attributes of the CF conventions."""
        from plumecast.labelled import dataset_of

        return dataset_of(self)

    def plot(self, case: int = 0, time: int = -1) -> matplotlib.figure.Figure:
        """Draws all fields of a case at a time, by Matplotlib. Of Cartesian grids the line through the largest value."""
        from plumecast.plotting import figure_of

        return figure_of(self, case, time)

    def _as_outputs(self) -> Cases:
        """The cases with these fields as their outputs."""
        from plumecast.grid import in_memory

        return in_memory(self.cases).with_outputs(self._arrays, {name: one.unit for name, one in self._quantities.items()})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a data set file of the cases with these fields as outputs. Raises InvalidData, IoError."""
        self._as_outputs().save(path)

    def measure(
        self,
        thresholds: Iterable[float] = (),
        pressure_front: float = 0.0,
        fracture_gradient: float = 0.0,
        fracture_pressure: float = 0.0,
        fracture_factor: float = 0.0,
        top_depth: float = 0.0,
    ) -> list[dict[str, Series]]:
        """Plume radius, area of review, largest build-up, CO2 in place and the other series of the report, case by case.

        `thresholds` of gas saturation are 0.01 and 0.2 where none are given; `pressure_front` is the build-up at the edge of
        the pressure front, and where it is 0 the front is that of 1 bar and there is no area of review; `fracture_gradient`
        [bar/m] or `fracture_pressure` [bar] with `fracture_factor`, 0.9, give the margin to fracturing; `top_depth` of the
        formation [m], where it is 0, is that of the cases, else computed from the initial pressure.
        docs/report.md has the definitions. A case that could not be computed, NaN in all active cells, has no series: an
        empty dict stands in its place. Raises InvalidData where no case has values.
        """
        given = (thresholds, pressure_front, fracture_gradient, fracture_pressure, fracture_factor, top_depth)
        return measured(self._as_outputs(), *given)
