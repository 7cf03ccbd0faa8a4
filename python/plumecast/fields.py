"""Predicted fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumecast.cases import Cases
from plumecast.quantity import Quantity

if TYPE_CHECKING:
    import matplotlib.figure
    import xarray


class Fields(Mapping[str, "NDArray[Any]"]):
    """Predicted fields by their names: arrays [N, T, Z, R] or [N, T, Z, Y, X] in physical units, NaN in inactive cells.

    They are the caller's own and outlive the model. `cases` are those that were predicted, `model` says by which.
    """

    def __init__(
        self,
        arrays: Mapping[str, NDArray[Any]],
        cases: Cases,
        quantities: Mapping[str, Quantity],
        model: Mapping[str, str],
    ) -> None:
        self._arrays = dict(arrays)
        self._quantities = {name: quantities[name] for name in self._arrays}
        self.cases = cases
        self.model = dict(model)  #: title and hash of the model

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
            known = array[np.isfinite(array)]
            span = f"{known.min():.4g} to {known.max():.4g} " if known.size else "no values "
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
