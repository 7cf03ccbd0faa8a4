#!/usr/bin/env python3
"""Dissolved CO2 of the physics against the simulator: `plumecast estimate` of data sets that `plumecast generate` made, with and without
`inputs.dissolution_rate_limit`.

Usage: dissolution_limits.py PLUMECAST DATA.h5 [DATA.h5 ...] [--steps 2,4] [--years 1,10,...]

Prints a table for docs/benchmarks/accuracy.md: per data set, CO2 that is dissolved per CO2 injected at the times next to the years, of the simulator
and of the physics with so many steps, as means over the cases.
"""
import argparse
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy as np

DAYS_PER_YEAR = 365.25


def injected(file):
    """Until each time [kg], [N, T]."""
    rates, ends, days = file["schedule/rate"][()].sum(axis=1), file["schedule/end"][()], file["grid/times"][()]
    starts = np.concatenate([[0.0], ends[:-1]])
    return 1e9 / DAYS_PER_YEAR * rates @ np.clip(days[:, None] - starts, 0.0, ends - starts).T


def shares(path, inputs):
    """Dissolved CO2 per CO2 injected, [N, T]."""
    r, z = inputs["grid/r_edges"][()], inputs["grid/z_edges"][()]
    volumes = np.pi * np.diff(r**2) * np.diff(z)[:, None] * inputs["inputs/porosity"][()] * inputs["inputs/active"][()]
    with h5py.File(path) as file:
        dissolved = np.nan_to_num(file["outputs/dissolved_co2"][()])
    return np.einsum("ntzr,nzr->nt", dissolved, volumes) / injected(inputs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plumecast")
    parser.add_argument("data", nargs="+")
    parser.add_argument("--steps", default="2,4")
    parser.add_argument("--years", default="0.1,1,5,20,40,75,140")
    arguments = parser.parse_args()
    steps = arguments.steps.split(",")
    print("| data | year | simulator | " + " | ".join(f"{count} steps" for count in steps) + " |")
    for data in arguments.data:
        with h5py.File(data) as inputs, tempfile.TemporaryDirectory() as folder:
            found = [shares(data, inputs)]
            for count in steps:
                out = Path(folder) / f"{count}.h5"
                subprocess.run([arguments.plumecast, "estimate", data, "-o", out, "--substeps", count], check=True, capture_output=True)
                found.append(shares(out, inputs))
            years = inputs["grid/times"][()] / DAYS_PER_YEAR
            for year in map(float, arguments.years.split(",")):
                at = int(np.argmin(np.abs(years - year)))
                print(f"| {Path(data).stem} | {years[at]:.3g} | " + " | ".join(f"{np.mean(one[:, at]):.4f}" for one in found) + " |")


if __name__ == "__main__":
    main()
