"""What the report says of results, as series over time."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumecast import _native
from plumecast.cases import Cases


class Series(NamedTuple):
    """A measure of a case at all times."""

    unit: str
    description: str
    values: NDArray[np.float64]  #: [T], NaN where it has no value


def measured(
    cases: Cases,
    thresholds: Iterable[float],
    pressure_front: float,
    fracture_gradient: float,
    fracture_pressure: float,
    fracture_factor: float,
    top_depth: float,
) -> list[dict[str, Series]]:
    """Series of the outputs of each case, by name; none of a case without values."""
    found = json.loads(
        _native.measure(
            cases.native,
            list(thresholds),
            pressure_front,
            fracture_gradient,
            fracture_pressure,
            fracture_factor,
            top_depth,
        )
    )
    series = {
        case["case"]: {
            one["name"]: Series(one["unit"], one["description"], np.array(one["values"], dtype=float))
            for one in case["series"]
        }
        for case in found["cases"]
    }
    return [series.get(case, {}) for case in range(len(series) + len(found["cases_without_values"]))]
