#!/usr/bin/env python3
"""Models and physics against the simulator while CO2 is injected and after: simulated cases with schedules of injection, radial or boxes.

Usage: schedule_accuracy.py PLUMECAST DATA.h5 [MODEL...] [--steps 1,2,4] [--tolerances 0.01,0.005]

Prints the table of docs/benchmarks/accuracy.md and three_dimensions.md: errors as docs/numerics.md defines them, of the times until each case's injection ends, of those after
it, and of the last time, where the mean and the largest deviation of dissolved CO2 per CO2 injected, and its mean per CO2 dissolved, stand too, where the
data have dissolved CO2, and of cylinders those of free and of trapped CO2, as `report` has them of both.
Where they have the bottom-hole pressure of the simulator (/case/bottom_hole_pressure), the row ends with what the pressure that `report` gives is off by,
per build-up in the well, over cases and times of injection after day 10: median, 95th percentile, largest. Last stands the time of a processor that a case
took, in seconds, with one thread, the program's start, reading and writing among it.
Means leave out, and name, cases without injection and cases of which a file lacks values, such as those that a model or the physics refuses.
"""
import argparse
import csv
import functools
import resource
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy

YEAR = 365.25
PLUME = 0.01  # saturation


def of_cells(array, axes):
    """All axes after the first ones as one, C, that of the cells."""
    return array.reshape(*array.shape[:axes], -1)


class Fields:
    """Gas saturation, build-up [N, T, C] and dissolved CO2 [N, T] [Mt] (none where the file has none) of a file, 0 in inactive cells.

    `known` [N] is false for cases of which an active cell has no value."""

    def __init__(self, path, cases):
        with h5py.File(path) as file:
            def read(name):
                return numpy.where(cases.active[:, None], of_cells(file[f"outputs/{name}"][()].astype(float), 2), 0.0)
            self.saturation, self.buildup = read("gas_saturation"), read("pressure_buildup")
            self.dissolved = None
            if "outputs/dissolved_co2" in file:
                self.dissolved = numpy.einsum("ntc,nc->nt", read("dissolved_co2"), cases.pore_volume) * 1e-9
        self.known = numpy.isfinite(self.saturation + self.buildup).all((1, 2))
        if self.dissolved is not None:
            self.known &= numpy.isfinite(self.dissolved).all(1)


class Cases:
    """What the inputs of a data set say."""

    def __init__(self, path):
        with h5py.File(path) as file:
            edges = {name: file[f"grid/{name}_edges"][()] for name in "zyxr" if f"grid/{name}_edges" in file}
            widths = [numpy.diff(of) if name != "r" else numpy.pi * numpy.diff(of**2) for name, of in edges.items()]
            volume = functools.reduce(numpy.multiply.outer, widths).ravel()
            self.active = of_cells(file["inputs/active"][()] > 0, 1)
            self.times = file["grid/times"][()]
            self.pore_volume = numpy.where(self.active, of_cells(file["inputs/porosity"][()], 1) * volume, 0.0)
            self.is_radial = "r" in edges
            self.well = file["case/bottom_hole_pressure"][()] if "case/bottom_hole_pressure" in file and self.is_radial else None
            if "schedule" in file:
                ends, rates = file["schedule/end"][()], file["schedule/rate"][()].sum(axis=1)
            else:
                rates = file["inputs/injection_rate"][()][:, None]
                ends = numpy.array([self.times[-1]])
        starts = numpy.concatenate([[0.0], ends[:-1]])
        lengths = numpy.clip(self.times[:, None] - starts, 0.0, ends - starts)
        self.injected = rates @ lengths.T / YEAR  # [N, T] [Mt]
        self.injects = self.injected[:, -1] > 0
        self.end = numpy.where(rates > 0, ends, 0.0).max(1)  # of the injection


def name_left_out(cases, why):
    found = numpy.flatnonzero(cases)
    if found.size:
        print(f"{why}: {'case' if found.size == 1 else 'cases'} {', '.join(map(str, found))}", flush=True)


def errors(fields, truth, cases, counted):
    """MPE and MRE of each case over the times that count [N, T]; NaN where none does."""
    active = cases.active[:, None]
    plume = ((fields.saturation > PLUME) | (truth.saturation > PLUME)) & active
    off = numpy.abs(fields.saturation - truth.saturation) * plume
    weights = counted[:, :, None]
    with numpy.errstate(invalid="ignore", divide="ignore"):
        mpe = (off * weights).sum((1, 2)) / (plume * weights).sum((1, 2))
        wrong = numpy.abs(fields.buildup - truth.buildup).sum(2) / active.sum(2)
        relative = wrong / truth.buildup.max(2)
        mre = numpy.where(counted, relative, 0.0).sum(1) / counted.sum(1)
    return mpe, mre


def reported(plumecast, path, shape):
    """Series [N, T] by name as `report` has them of the fields of a file; NaN of cases that it leaves out."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([plumecast, "report", path, "-o", folder], check=True, capture_output=True)
        with open(Path(folder) / "series.csv", encoding="utf-8") as table:
            rows = list(csv.DictReader(table))
    series = {}
    for name in rows[0].keys() & {"mass_free [Mt]", "mass_trapped [Mt]", "bottom_hole_pressure [bar]", "bottom_hole_buildup [bar]"}:
        values = series[name.split(" ")[0]] = numpy.full(shape, numpy.nan)
        for place, found in enumerate(rows):
            values[int(found["case"]), place % shape[1]] = float(found[name] or "nan")
    return series


def well_errors(series, cases, kept):
    """Cell of the table: errors of the pressure in the well per build-up there."""
    pressure, buildup = series["bottom_hole_pressure"], series["bottom_hole_buildup"]
    counted = kept[:, None] & (cases.times >= 10.0)[None] & numpy.isfinite(cases.well) & numpy.isfinite(pressure)
    off = (numpy.abs(pressure - cases.well) / numpy.abs(cases.well - (pressure - buildup)))[counted]
    return f"{numpy.median(off):.4f}, {numpy.percentile(off, 95):.4f}, {off.max():.4f}" if off.size else "none"


def mass_errors(series, truth, cases, kept):
    """Cells of the table: errors of free and of trapped CO2 at the last time per CO2 injected."""
    for name in ("mass_free", "mass_trapped"):
        if name not in series or name not in truth:
            yield "none"
            continue
        off = numpy.abs(series[name] - truth[name])[kept, -1] / cases.injected[kept, -1]
        off = off[numpy.isfinite(off)]
        yield f"{off.mean():.4f} ({off.max():.4f})" if off.size else "none"


def processor_seconds(command):
    """That a program took, of all its threads."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def row(name, plumecast, path, truth, truth_series, cases, seconds):
    fields = Fields(path, cases)
    kept = cases.injects & truth.known & fields.known
    during = cases.times[None] <= cases.end[:, None]
    last = numpy.zeros_like(during)
    last[:, -1] = True
    cells = [name]
    for counted in (during, ~during, last):
        mpe, mre = errors(fields, truth, cases, counted)
        some = counted.any(1) & kept
        cells.append(f"{mpe[some].mean():.4f}, {mre[some].mean():.4f}" if some.any() else "none")
    if fields.dissolved is None or truth.dissolved is None or not kept.any():
        cells.append("none")
    else:
        off = numpy.abs(fields.dissolved - truth.dissolved)[kept, -1]
        share, part = off / cases.injected[kept, -1], off / truth.dissolved[kept, -1]
        cells.append(f"{share.mean():.4f} ({share.max():.4f}), {part.mean():.4f}")
    if cases.is_radial:
        series = reported(plumecast, path, during.shape)
        cells.extend(mass_errors(series, truth_series, cases, kept))
        if cases.well is not None:
            cells.append(well_errors(series, cases, kept))
    cells.append(f"{seconds / len(cases.injects):.3f}")
    print("| " + " | ".join(cells) + " |", flush=True)
    name_left_out(cases.injects & truth.known & ~fields.known, f"{name}: left out, as values are missing")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumecast")
    parser.add_argument("data")
    parser.add_argument("models", nargs="*")
    parser.add_argument("--steps", default="1,2,4")
    parser.add_argument("--tolerances", default="")
    given = parser.parse_args()
    cases = Cases(given.data)
    truth = Fields(given.data, cases)
    name_left_out(~cases.injects, "left out, as nothing is injected")
    name_left_out(cases.injects & ~truth.known, "left out, as the data lack values")
    print(f"{(cases.injects & truth.known).sum()} cases; MPE, MRE while injecting, after, at the last time; dissolved CO2 there, off per CO2 injected, mean (largest), and per CO2 dissolved, mean"
          + ("; free, trapped CO2 likewise, mean (largest)" if cases.is_radial else "")
          + ("; pressure in the well, off per build-up, median, 95 %, largest" if cases.well is not None else "") + "; seconds of a processor a case")
    truth_series = reported(given.plumecast, given.data, cases.injected.shape) if cases.is_radial else {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fields.h5"
        for option, name, values in (("--substeps", "{} steps", given.steps), ("--tolerance", "tolerance {}", given.tolerances)):
            for value in filter(None, values.split(",")):
                seconds = processor_seconds([given.plumecast, "estimate", given.data, "-o", path, option, value, "--threads", "1", "--force"])
                row(f"physics, {name.format(value)}", given.plumecast, path, truth, truth_series, cases, seconds)
        for model in given.models:
            seconds = processor_seconds([given.plumecast, "predict", model, given.data, "-o", path, "--threads", "1", "--force"])
            row(model, given.plumecast, path, truth, truth_series, cases, seconds)


if __name__ == "__main__":
    main()
