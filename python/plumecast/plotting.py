"""Pictures of predicted fields by Matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from plumecast.errors import InvalidInput
from plumecast.grid import grid_of

if TYPE_CHECKING:
    from plumecast.fields import Fields


def _entry(what: str, wanted: int, count: int) -> int:
    if not -count <= wanted < count:
        raise InvalidInput(f"{what} {wanted} is not there (there are {count}, counted from 0); give a smaller one")
    return wanted % count


def _section(field: NDArray[Any]) -> NDArray[Any]:
    """Rows and columns [Z, R] or [Z, X] of a field; of a Cartesian one those of the line of the largest value."""
    if field.ndim == 2:
        return field
    largest = np.argmax(np.where(np.isfinite(field), field, -np.inf)) if np.isfinite(field).any() else 0
    return field[:, np.unravel_index(largest, field.shape)[1], :]


def duration(days: float) -> str:
    """A time in the words of a title.

    >>> duration(10950), duration(365.25), duration(912), duration(1), duration(0.25)
    ('30 years', '1 year', '2.5 years', '1 day', '6 hours')
    """
    number, unit = (days / 365.25, "year") if days >= 365 else (days, "day") if days >= 1 else (days * 24, "hour")
    text = f"{number:.2f}" if number < 10 else f"{number:.1f}" if number < 100 else f"{number:.0f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return f"{text} {unit}" if text == "1" else f"{text} {unit}s"


def figure_of(fields: Fields, case: int, time: int) -> Figure:
    """All fields of a case at a time, one below the other; radial grids over the logarithm of the distance."""
    grid = grid_of(fields.cases)
    cases, times = next(iter(fields.values())).shape[:2]
    case, time = _entry("case", case, cases), _entry("time", time, times)
    along = "r_edges" if "r_edges" in grid else "x_edges"
    edges = np.array(grid[along])
    if along == "r_edges" and edges[0] <= 0:
        edges[0] = edges[1] / 10  # the axis itself has no place on a logarithmic scale
    figure = Figure(figsize=(7, 0.7 + 2.3 * len(fields)), layout="constrained")
    panels = figure.subplots(len(fields), 1, sharex=True, squeeze=False)[:, 0]
    for panel, (name, field) in zip(panels, fields.items()):
        quantity = fields.quantities[name]
        picture = panel.pcolormesh(edges, grid["z_edges"], _section(field[case, time]))
        figure.colorbar(picture, ax=panel)
        of_unit = "" if quantity.unit == "1" else f" [{quantity.unit}]"
        panel.set_title(quantity.long_name[:1].upper() + quantity.long_name[1:] + of_unit, loc="left", fontsize="medium", wrap=True)
        panel.set_ylabel("depth [m]")
        panel.invert_yaxis()
        if along == "r_edges":
            panel.set_xscale("log")
    panels[-1].set_xlabel("distance from the well [m]" if along == "r_edges" else "x [m]")
    figure.suptitle(f"Case {case} after {duration(float(grid['times'][time]))}")
    return figure
