#!/usr/bin/env python3
"""How often bands of fields and intervals of figures hold the simulated ones (docs/benchmarks/uncertainty.md).

Usage: band_coverage.py PLUMECAST BUNDLE CALIBRATION.h5[,MORE.h5] TEST.h5      needs h5py and numpy

Calibrates a copy of the bundle (`calibrate --only-intervals`), predicts the test cases with `--uncertainty`, and compares with the simulated fields
and with their figures, which `predict` measures alike. Prints for each field: the share of cases of which the band holds as many cells and times as
it states, and the share of cells and times; for each figure: the share of cases whose whole curve is held, and the share of values; for both the mean
width over that of a band of constant width that holds as many of the same test cases, within what the quantity can be.
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

UNITS = {"plume_radius_0.01": "m", "plume_area_0.01": "m2", "max_buildup": "bar", "bottom_hole_pressure": "bar", "front_radius": "m",
         "mass_free": "Mt", "mass_trapped": "Mt", "mass_dissolved": "Mt"}
RANGES = {"gas_saturation": (0.0, 1.0), "pressure_buildup": (-np.inf, np.inf), "dissolved_co2": (0.0, np.inf)}
PLUME = 0.01  # saturation from which on cells count


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def constant_width(middles, errors, held, low, high):
    """Mean width of a band of constant width that holds `held` of some cases: values and what each case needs of a half width."""
    half = np.sort(errors)[max(0, held - 1)]
    return np.mean(np.concatenate([np.minimum(high, values + half) - np.maximum(low, values - half) for values in middles]))


def field_line(name, predicted, simulated, known, share):
    """What is said of the band of a field."""
    held, inside, widths, middles, errors = [], [], [], [], []
    active = simulated["inputs/active"][:] > 0
    arrays = {end: predicted[f"outputs/{name}{end}"] for end in ("", "_low", "_high")}
    for which in np.flatnonzero(known):
        middle, low, high = (arrays[end][which].astype(float) for end in ("", "_low", "_high"))
        true = simulated[f"outputs/{name}"][which].astype(float)
        counts = np.broadcast_to(active[which], true.shape)
        if name == "gas_saturation":
            counts = counts & ((middle > PLUME) | (true > PLUME))
        middle, low, high, true = middle[counts], low[counts], high[counts], true[counts]
        if true.size == 0:
            continue
        within = (true >= low) & (true <= high)
        inside.append(within.mean())
        held.append(within.mean() >= share)
        widths.append(high - low)
        middles.append(middle)
        errors.append(np.sort(np.abs(true - middle))[int(np.ceil(share * true.size)) - 1])
    width = np.mean(np.concatenate(widths))
    constant = constant_width(middles, np.array(errors), sum(held), *RANGES[name])
    return (f"{name}: held in {sum(held)} of {len(held)} cases ({np.mean(held):.3f}), of cells and times {np.mean(inside):.4f}, "
            f"mean width {width:.4g}, over that of a constant band {width / constant:.2f}")


def simulated_figures(plumecast, test, shape, folder):
    """Figures of the simulated fields [N, T] by name, from the series of the report."""
    run(plumecast, "report", test, "-o", folder / "report")
    figures = {name: [] for name in UNITS}
    with open(folder / "report" / "series.csv", newline="") as file:
        for line in csv.DictReader(file):
            for name, unit in UNITS.items():
                if f"{name} [{unit}]" in line:
                    figures[name].append(float(line[f"{name} [{unit}]"] or "nan"))
    return {name: np.reshape(values, shape) for name, values in figures.items() if values}


def figure_line(name, ends, true):
    """What is said of the intervals of a figure, by the ends and the middle of calibrated cases [n, T]."""
    has_all = np.isfinite(np.stack([ends["_low"], true])).all(axis=(0, 2))  # bottom-hole pressures are not known of every case
    low, high, middle, true = ends["_low"][has_all], ends["_high"][has_all], ends[""][has_all], true[has_all]
    within = (true >= low) & (true <= high)
    whole = within.all(axis=1)
    constant = constant_width(list(middle), np.abs(true - middle).max(axis=1), int(whole.sum()), 0.0, np.inf)
    width = np.mean(high - low)
    return (f"{name}: whole curves held {whole.sum()} of {whole.size} ({whole.mean():.3f}), values held {within.mean():.4f}, "
            f"mean width {width:.4g}, over that of a constant band {width / constant:.2f}")


def main():
    plumecast, bundle, calibration, test = sys.argv[1:5]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(bundle, folder / "model")
        print(run(plumecast, "calibrate", folder / "model", *calibration.split(","), "--only-intervals"))
        run(plumecast, "predict", folder / "model", test, "-o", folder / "fields.h5", "--uncertainty")
        trust = json.loads((folder / "model" / "model.json").read_text())["training"]["trust"]
        with h5py.File(folder / "fields.h5") as file, h5py.File(test) as simulated:
            known = np.array([note == b"" for note in file["case/band_notes"]])
            print(f"{known.size} test cases, {known.sum()} of them calibrated; level {trust['field_bands']['level']}")
            for band in trust["field_bands"]["fields"]:
                print(field_line(band["field"], file, simulated, known, trust["field_bands"]["share"]))
            figures = {band["figure"]: {end: file[f"case/figure_{band['figure']}{end}"][:].astype(float) for end in ("", "_low", "_high")}
                       for band in trust["figure_bands"]["figures"]}
        truth = simulated_figures(plumecast, test, figures["max_buildup"][""].shape, folder)
        for one, ends in figures.items():
            print(figure_line(one, {end: values[known] for end, values in ends.items()}, truth[one][known]))


if __name__ == "__main__":
    main()
