"""Gradients of predictions with respect to their inputs."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumecast import _native
from plumecast.cases import viewed
from plumecast.errors import InvalidInput, PlumecastWarning
from plumecast.fields import Fields
from plumecast.grid import shape_of
from plumecast.quantity import Quantity


class Recording:
    """A forward pass over cases whose tape is kept; `Model.record` makes one. It keeps model and cases."""

    def __init__(self, native: _native.Recording, fields: Fields, inputs: Mapping[str, Quantity]) -> None:
        self._native = native
        self._inputs = inputs
        self.fields = fields  #: what was predicted on the way

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs of the cases that have derivatives: all but `active`, times and edges.

        Of a schedule these are its rates, `schedule_rate`, and not their mean, `injection_rate`.
        """
        given = self.fields.cases.arrays
        has_schedule = self.fields.cases.extents.periods > 0
        names = [name for name, one in self._inputs.items() if one.is_of_cases and name != "active"]
        if self.fields.cases.path is not None:
            names = [name for name in names if self._inputs[name].required or (has_schedule and name == "schedule_rate")]
        else:
            names = [name for name in names if name in given]
        return tuple(name for name in names if not (has_schedule and name == "injection_rate"))

    def _shape(self, name: str) -> tuple[int, ...]:
        extents = self.fields.cases.extents
        if name not in self._inputs:
            raise InvalidInput(f"'{name}' is no input of the model ({', '.join(self.inputs)} have derivatives); name one")
        if extents.axes > 0:
            return shape_of(self.fields.cases, name)
        if name == "schedule_rate":
            return (extents.cases, extents.wells, extents.periods)
        is_map = len(self._inputs[name].axes) > 1
        return (extents.cases, *extents.whole_shape[2:]) if is_map else (extents.cases,)

    def series(self, name: str) -> NDArray[np.float64]:
        """Values [N, T] of a series of a report on the recorded fields, before `pull_back()`, which takes weights for it.

        It is `bottom_hole_pressure` [bar], `mass_free` or `mass_trapped` [Mt] of cylinders where build-up and saturation
        are both recorded; NaN where it has no value, as CO2 has no known density at a pressure outside 0 to 1000 bar, or no
        cell is perforated. Raises InvalidInput for another name, and after `pull_back()`.
        """
        cases, times = self.fields.cases.extents.whole_shape[:2]
        return np.array(self._native.series(name, cases * times), np.float64).reshape(cases, times)

    def pull_back(self, weights: Mapping[str, Any], inputs: Iterable[str] | None = None) -> dict[str, NDArray[np.float32]]:
        """Derivatives of the sum of weights times fields and series by inputs (vector-Jacobian product), once per recording.

        `weights` are arrays [N, T, Z, R] or [N, T, Z, Y, X] by the names of fields, and [N, T] by those of `series()`, per the
        unit of each; of inactive cells they are not read. Where a series is NaN its weight must be 0. Of all inputs that have
        derivatives, or of those named by `inputs`, gives float32 arrays [N, Z, R], [N, Z, Y, X], [N] or, of a schedule,
        [N, W, P], per the unit of each: mD, Mt/year, bar. Of generic data weights have the shapes of the fields and gradients
        those of the inputs. They are 0 in inactive cells. Warns of cases where `retaken_steps` is not 0. Raises InvalidInput
        for names and shapes that do not fit, for a second call, and naming case and day for a weight of a series where that
        is NaN; but for a second call, `pull_back()` may be called again then.
        """
        names = self.inputs if inputs is None else (inputs,) if isinstance(inputs, str) else tuple(inputs)
        gradients = {name: np.empty(self._shape(name), np.float32) for name in names}
        extents = self.fields.cases.extents
        given = {name: extents.with_all_axes(viewed(array)) for name, array in weights.items()}
        self._native.pull_back(given, gradients)
        if self.retaken_steps.any():
            rough = np.flatnonzero(self.retaken_steps)
            shown = ", ".join(map(str, rough[:8])) + (", ..." if len(rough) > 8 else "")
            warnings.warn(
                f"fields jump with the inputs in {'case' if len(rough) == 1 else 'cases'} {shown} (time steps of the physics were "
                "taken anew in another way); their gradients hold for changes of inputs below 0.1 % only",
                PlumecastWarning,
                stacklevel=2,
            )
        return gradients

    @property
    def retaken_steps(self) -> NDArray[np.int64]:
        """Of each case, after pull_back(): time steps of its physics that failed at first and were taken in another way.

        Where it is not 0, fields jump with the inputs, and gradients hold for changes of inputs below a thousandth only.
        Raises InvalidInput before pull_back().
        """
        return np.array(self._native.retaken_steps(len(self.fields.cases)), np.int64)
