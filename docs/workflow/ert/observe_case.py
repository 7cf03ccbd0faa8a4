#!/usr/bin/env python3
"""Writes what a predicted case has where observations were made: observe_case.py FIELDS.h5 OBSERVATIONS.csv VALUES

OBSERVATIONS.csv is that of `plumecast invert`: rows of gas_saturation and pressure_buildup, on cylinders and boxes. VALUES gets a
number for each row, in their order, as GEN_DATA reads it: of the cell that holds the place, linear between the two times
around the row's. Needs h5py. Exit code 0 only when the file is complete.
"""
import csv
import os
import sys
from pathlib import Path
from typing import Any

import h5py
import numpy

FIELDS = ("gas_saturation", "pressure_buildup")


def cell(edges: Any, place: float, called: str) -> int:
    """The cell between increasing edges that holds a place; an edge between two belongs to the latter."""
    if not edges[0] <= place <= edges[-1]:
        raise SystemExit(f"observe_case: {called} is {place:g} (the grid reaches from {edges[0]:g} to {edges[-1]:g} m); correct it")
    return min(int(numpy.searchsorted(edges, place, side="right")), len(edges) - 1) - 1


def check_steady(file: Any, times: Any, time: float, called: str) -> None:
    """A pressure between two times is no value on a line where a well has another rate from the former, or from a day between them, on."""
    if "schedule" not in file or time > times[-1]:
        return
    later = int(numpy.searchsorted(times, time))
    before, after = times[later - 1], times[later]
    ends, rates = file["schedule/end"][:], file["schedule/rate"][0]
    following = numpy.concatenate([rates[:, 1:], numpy.zeros((len(rates), 1))], axis=1)
    changes = ends[(rates != following).any(axis=0) & (ends >= before) & (ends < after)]
    if len(changes):
        days = " and ".join(f"{day:g}" for day in sorted({time, *changes[changes > before]}))
        raise SystemExit(f"observe_case: {called}: time is {time:g} day, between the times {before:g} and {after:g} day, and from day {changes[0]:g} on "
                         f"a well has another rate; add the times {days} to the case")


def observed(file: Any, row: dict[str, str], called: str) -> float:
    """What the first case has at a row."""
    if row["field"] not in FIELDS:
        raise SystemExit(f"observe_case: {called}: {row['field']} is no field (those are {', '.join(FIELDS)}); "
                         "pressures in wells are among the GEN_DATA of plumecast report")
    grid, time = file["grid"], float(row["time"])
    axes = ("z", "r") if "r_edges" in grid else ("z", "y", "x")
    place = tuple(cell(grid[f"{axis}_edges"][:], float(row[axis]), f"{called}: {axis}") for axis in axes)
    values = file["outputs/" + row["field"]][(0, slice(None), *place)]
    if file["inputs/active"][(0, *place)] == 0:
        raise SystemExit(f"observe_case: {called}: lies in an inactive cell (nothing is predicted there); leave it out")
    times = grid["times"][:]
    if not 0 <= time <= times[-1] * (1 + 1e-6):
        raise SystemExit(f"observe_case: {called}: time is {time:g} day (the case reaches from 0 to {times[-1]:g}); correct it")
    first = times[times > 0][0]
    if 0 < time < first * (1 - 1e-6):
        raise SystemExit(f"observe_case: {called}: time is {time:g} day, before the first time after day 0, {first:g} (a build-up does not grow linearly "
                         f"until then); add the time {time:g} to the case")
    if row["field"] == "pressure_buildup" and abs(times - time).min() > 1e-6 * time:
        check_steady(file, times, time, called)
    return float(numpy.interp(time, [0.0, *times], [0.0, *values]))


def main() -> None:
    if len(sys.argv) != 4:
        raise SystemExit("observe_case: give a result of plumecast predict, a table of observations and the file to write")
    fields, table, output = sys.argv[1:]
    partial = output + ".partial"
    try:
        with h5py.File(fields) as file, open(table, newline="") as rows:
            if "cell_centre_z" in file["grid"]:
                raise SystemExit(f"observe_case: {fields}: its cells are not those between its edges; take plumecast invert")
            values = [observed(file, row, f"{table}: row {number}") for number, row in enumerate(csv.DictReader(rows), start=2)]
        Path(partial).write_text("".join(f"{value:.9g}\n" for value in values))
        os.replace(partial, output)
    except (OSError, KeyError, TypeError, ValueError) as problem:
        raise SystemExit(f"observe_case: {fields} cannot be compared with {table} ({problem}); check both") from None
    finally:
        if os.path.exists(partial):
            os.remove(partial)


if __name__ == "__main__":
    main()
