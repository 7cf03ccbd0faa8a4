#!/usr/bin/env python3
"""Models and physics against the simulator while CO2 is injected and after: simulated radial cases with schedules of injection.

Usage: schedule_accuracy.py PLUMECAST DATA.h5 [MODEL...] [--steps 1,2,4]

Prints the table of docs/benchmarks/accuracy.md: errors as docs/numerics.md defines them, of the times until each case's injection ends, of those after
it, and of the last time, where the mean and the largest deviation of dissolved CO2 per CO2 injected stand too, where the data have dissolved CO2.
Means leave out, and name, cases without injection and cases of which a file lacks values, such as those that a model or the physics refuses.
"""
import argparse
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy

YEAR = 365.25
PLUME = 0.01  # saturation


class Fields:
    """Gas saturation, build-up [N, T, Z, R] and dissolved CO2 [N, T] [Mt] (none where the file has none) of a file, 0 in inactive cells.

    `known` [N] is false for cases of which an active cell has no value."""

    def __init__(self, path, cases):
        with h5py.File(path) as file:
            def read(name):
                return numpy.where(cases.active[:, None], file[f"outputs/{name}"][()].astype(float), 0.0)
            self.saturation, self.buildup = read("gas_saturation"), read("pressure_buildup")
            self.dissolved = None
            if "outputs/dissolved_co2" in file:
                self.dissolved = numpy.einsum("ntzr,nzr->nt", read("dissolved_co2"), cases.pore_volume) * 1e-9
        self.known = numpy.isfinite(self.saturation + self.buildup).all((1, 2, 3))
        if self.dissolved is not None:
            self.known &= numpy.isfinite(self.dissolved).all(1)


class Cases:
    """What the inputs of a data set say."""

    def __init__(self, path):
        with h5py.File(path) as file:
            self.active = file["inputs/active"][()] > 0
            self.times = file["grid/times"][()]
            r, z = file["grid/r_edges"][()], file["grid/z_edges"][()]
            volume = numpy.pi * numpy.diff(z)[:, None] * numpy.diff(r**2)
            self.pore_volume = numpy.where(self.active, file["inputs/porosity"][()] * volume, 0.0)
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
    weights = counted[:, :, None, None]
    with numpy.errstate(invalid="ignore", divide="ignore"):
        mpe = (off * weights).sum((1, 2, 3)) / (plume * weights).sum((1, 2, 3))
        wrong = numpy.abs(fields.buildup - truth.buildup).sum((2, 3)) / active.sum((2, 3))
        relative = wrong / truth.buildup.max((2, 3))
        mre = numpy.where(counted, relative, 0.0).sum(1) / counted.sum(1)
    return mpe, mre


def row(name, fields, truth, cases):
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
        share = numpy.abs(fields.dissolved - truth.dissolved)[kept, -1] / cases.injected[kept, -1]
        cells.append(f"{share.mean():.4f} ({share.max():.4f})")
    print("| " + " | ".join(cells) + " |", flush=True)
    name_left_out(cases.injects & truth.known & ~fields.known, f"{name}: left out, as values are missing")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumecast")
    parser.add_argument("data")
    parser.add_argument("models", nargs="*")
    parser.add_argument("--steps", default="1,2,4")
    given = parser.parse_args()
    cases = Cases(given.data)
    truth = Fields(given.data, cases)
    name_left_out(~cases.injects, "left out, as nothing is injected")
    name_left_out(cases.injects & ~truth.known, "left out, as the data lack values")
    print(f"{(cases.injects & truth.known).sum()} cases; MPE, MRE while injecting, after, at the last time; dissolved CO2 there, off per CO2 injected, mean (largest)")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fields.h5"
        for steps in given.steps.split(","):
            subprocess.run([given.plumecast, "estimate", given.data, "-o", path, "--substeps", steps, "--force"], check=True, capture_output=True)
            row(f"physics, {steps} steps", Fields(path, cases), truth, cases)
        for model in given.models:
            subprocess.run([given.plumecast, "predict", model, given.data, "-o", path, "--force"], check=True, capture_output=True)
            row(model, Fields(path, cases), truth, cases)


if __name__ == "__main__":
    main()
