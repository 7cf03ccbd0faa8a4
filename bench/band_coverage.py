#!/usr/bin/env python3
"""How often the intervals of figures hold the simulated ones (docs/benchmarks/uncertainty.md).

Usage: band_coverage.py PLUMECAST BUNDLE CALIBRATION.h5 TEST.h5      needs h5py and numpy

Calibrates a copy of the bundle (`calibrate --only-intervals`), predicts the test cases, and compares with figures of the simulated fields, which
`predict` measures alike. Prints for each figure: the share of cases whose whole curve is held, the share of values, and the mean width over that
of a band of constant width with as much coverage of whole curves on the same test cases.
"""

import csv
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

UNITS = {"plume_radius_0.01": "m", "max_buildup": "bar", "mass_free": "Mt", "mass_dissolved": "Mt"}


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def simulated_figures(plumecast, test, shape, folder):
    """Figures of the simulated fields [N, T] by name, from the series of the report."""
    run(plumecast, "report", test, "-o", folder / "report")
    figures = {name: [] for name in UNITS}
    with open(folder / "report" / "series.csv", newline="") as file:
        for line in csv.DictReader(file):
            for name, unit in UNITS.items():
                figures[name].append(float(line[f"{name} [{unit}]"]))
    return {name: np.reshape(values, shape) for name, values in figures.items()}


def main():
    plumecast, bundle, calibration, test = sys.argv[1:5]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(bundle, folder / "model")
        print(run(plumecast, "calibrate", folder / "model", calibration, "--only-intervals"))
        run(plumecast, "predict", folder / "model", test, "-o", folder / "fields.h5")
        bands = json.loads((folder / "model" / "model.json").read_text())["training"]["trust"]["figure_bands"]
        with h5py.File(folder / "fields.h5") as file:
            ends = {end: {one: file[f"case/figure_{one}{end}"][:].astype(float) for one in UNITS} for end in ("", "_low", "_high")}
        shape = ends[""]["max_buildup"].shape
        truth = simulated_figures(plumecast, test, shape, folder)
        known = ~np.isnan(ends["_low"]["max_buildup"][:, 0])
        print(f"{shape[0]} test cases, {known.sum()} of them calibrated; level {bands['level']}")
        for one in UNITS:
            low, high, middle, true = (values[known] for values in (ends["_low"][one], ends["_high"][one], ends[""][one], truth[one]))
            held = (true >= low) & (true <= high)
            whole = held.all(axis=1)
            largest = np.sort(np.abs(true - middle).max(axis=1))
            constant = 2 * largest[max(0, int(whole.sum()) - 1)]
            print(f"{one}: whole curves held {whole.mean():.3f}, values held {held.mean():.4f}, mean width {np.mean(high - low):.4g}, "
                  f"over that of a constant band {np.mean(high - low) / constant:.2f}")


if __name__ == "__main__":
    main()
