#!/usr/bin/env python3
"""What wells inject that a limit of their pressure holds down: the reduced physics, and models, against the simulator.

Usage: pressure_limits.py PLUMECAST DATA.h5 [MODEL...] [--steps 1,2,4]

DATA.h5 comes from `plumecast generate` with inputs.bottom_hole_pressure_limit, as [1.05, 1.3], and checks.estimated_buildup raised, so that limits matter. Prints the table of docs/benchmarks/accuracy.md: over the cases whose limit
matters (the simulator injects less than 99 % of what was asked for), CO2 injected until the last time against the simulator's, and until each time after day
10 at which a limit has mattered, per what the simulator has injected: median, 95th percentile, largest; and the mean with its sign.
"""
import argparse
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy

YEAR = 365.25


def asked_of(path):
    """CO2 asked for until each time [N, T] [Mt], and the times [T] [day]."""
    with h5py.File(path) as file:
        times = file["grid/times"][()]
        if "schedule" in file:
            ends, rates = file["schedule/end"][()], file["schedule/rate"][()].sum(axis=1)
        else:
            ends, rates = numpy.array([times[-1]]), file["inputs/injection_rate"][()][:, None]
    starts = numpy.concatenate([[0.0], ends[:-1]])
    return rates @ numpy.clip(times[:, None] - starts, 0.0, ends - starts).T / YEAR, times


def injected_of(path):
    with h5py.File(path) as file:
        return file["case/injected_mass"][()].astype(float)


def spread(off):
    size = numpy.abs(off)
    return f"{numpy.median(size):.3f}, {numpy.percentile(size, 95):.3f}, {size.max():.3f} ({off.mean():+.3f})" if off.size else "none"


def row(name, found, truth, asked, times):
    known = found[:, -1] > 0
    matters = known & (truth[:, -1] < 0.99 * asked[:, -1])
    off = (found - truth)[matters] / truth[matters]
    held = (truth < 0.99 * asked)[matters] & (times >= 10.0)[None]
    print(f"| {name} | {matters.sum()} | {spread(off[:, -1])} | {spread(off[held])} |", flush=True)
    return matters, off[:, -1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumecast")
    parser.add_argument("data")
    parser.add_argument("models", nargs="*")
    parser.add_argument("--steps", default="1,2,4")
    parser.add_argument("--cases", action="store_true", help="each case by itself too")
    given = parser.parse_args()
    truth = injected_of(given.data)
    asked, times = asked_of(given.data)
    print("| | cases that a limit matters for | injected until the last time, off | until each time after day 10 |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fields.h5"
        runs = [(f"physics, {steps} steps", ["estimate", given.data, "--substeps", steps]) for steps in given.steps.split(",")]
        runs += [(model, ["predict", model, given.data]) for model in given.models]
        for name, arguments in runs:
            subprocess.run([given.plumecast, *arguments, "-o", path, "--force"], check=True, capture_output=True)
            matters, off = row(name, injected_of(path), truth, asked, times)
            for case, error in zip(numpy.flatnonzero(matters) if given.cases else [], off):
                print(f"    case {case}: {truth[case, -1]:.4g} Mt of {asked[case, -1]:.4g} asked, off by {error:+.3f}", flush=True)


if __name__ == "__main__":
    main()
