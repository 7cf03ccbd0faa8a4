#!/usr/bin/env python3
"""Whether two-phase physics computes drawn cases with dips, faults, 1 to 4 wells and contrasts of 1e6 (docs/benchmarks/three_dimensions.md).

Usage: drawn_boxes.py PLUMECAST [--seed 1] [--grids 10] [--cases 3] [--substeps 2]      needs h5py and numpy

`generate --inputs-only` draws boxes of 8 x 16 x 16 cells with schedules, salt and hysteresis. Each box is computed as it is, and once more
bent to a dip, an anticline or a wavy flank, with a fault that throws by half a layer to three and lets 1e-6 to all of the flow through:
transmissibilities and connections of the overlaps. A line for each grid: how many cases were computed, and the message of each that was
not. Exit status 1 where a case ends without either.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

DARCY = 0.00852702  # cP m3/(day bar mD m)
AQUIFER = 1000.0


def configuration(seed, cases):
    schedule = {"laws": {"constant": 1, "ramp": 1, "steps": 1, "intermittent": 1}, "changes": [0.5, 2.0], "stop": [5.0, 25.0], "period": 1.0}
    return {"cases": cases, "seed": seed, "permeability": {"geometric_mean": [20.0, 3000.0], "log_deviation": [1.0, 3.5]},
            "box": {"rows": 8, "lines": 16, "columns": 16, "height": 96.0, "length_y": 6400.0, "length_x": 6400.0, "aquifer": AQUIFER},
            "inputs": {"thickness": [60.0, 96.0], "residual_gas_saturation": [0.0, 0.4], "salinity": [0.0, 0.2],
                       "injection_rate": [0.05, 0.4], "schedule": schedule},
            "wells": {"count": [1, 4], "margin": 1000.0, "least_distance": 800.0}, "times": {"count": 28, "first": 10.0, "growth": 1.3}}


def surface(random, x, y):
    """What is drawn, and the depth of the top of each column [m]."""
    kind = random.choice(["dip", "anticline", "flank"])
    slope = np.tan(np.radians(random.uniform(2, 12)))
    depth = {"dip": slope * x[None] + 0 * y[:, None],
             "anticline": ((x[None] - 3200) ** 2 + (y[:, None] - 3200) ** 2) / 3200**2 * random.uniform(50, 300),
             "flank": slope * y[:, None] + 30 * np.sin(x[None] / 700)}[kind]
    return kind, depth


def harmonic(length, area, permeability, axis):
    """Transmissibilities to the next cell along an axis, 0 of the last; cells without permeability conduct nothing."""
    half = np.where(permeability > 0, length / 2 / np.maximum(permeability, 1e-30), np.inf)
    low, high = np.take(half, range(half.shape[axis] - 1), axis), np.take(half, range(1, half.shape[axis]), axis)
    result = np.zeros_like(permeability)
    places = [slice(None)] * 4
    places[axis] = slice(0, -1)
    result[tuple(places)] = (DARCY * area + 0 * permeability)[tuple(places)] / (low + high)
    return result


def bend(source, target, seed):
    """Writes the cases of a box on a corner-point grid with a fault; what was drawn, in words."""
    random = np.random.default_rng(seed)
    with h5py.File(source) as box, h5py.File(target, "w") as site:
        for name in box:
            box.copy(name, site)
        site.attrs.update({name: value for name, value in box.attrs.items() if name != "aquifer_factor"})
        site.attrs["format_version"] = 4
        edges = {axis: box[f"grid/{axis}_edges"][:] for axis in "xyz"}
        dx, dy, dz = (np.diff(edges[axis]) for axis in "xyz")
        x, y, z = ((edges[axis][1:] + edges[axis][:-1]) / 2 for axis in "xyz")
        kind, top = surface(random, x, y)
        fault, throw, through = int(random.integers(4, 12)), random.uniform(0.5, 3) * dz[0], 10 ** random.uniform(-6, 0)
        top = top + np.where(np.arange(len(x)) >= fault, throw, 0.0)
        top -= top.min()
        shape = (len(z), len(y), len(x))
        volume = dx * dy[:, None] * dz[:, None, None]

        def put(name, unit, values, kind="f4"):
            array = site.create_dataset(name, data=np.asarray(values, kind))
            array.attrs["units"], array.attrs["long_name"] = unit, name.split("/")[1]

        put("grid/cell_volume", "m3", volume)
        put("grid/cell_centre_x", "m", np.broadcast_to(x, shape))
        put("grid/cell_centre_y", "m", np.broadcast_to(y[:, None], shape))
        put("grid/cell_centre_z", "m", top + z[:, None, None])
        sides = np.ones(shape)
        sides[:, [0, -1]] = sides[:, :, [0, -1]] = AQUIFER
        put("inputs/pore_volume", "m3", box["inputs/porosity"][:] * volume * sides)
        permeability = {axis: box[f"inputs/permeability_{axis}"][:].astype("f8") for axis in "xyz"}
        flow = {"x": harmonic(dx, dy[:, None] * dz[:, None, None], permeability["x"], 3),
                "y": harmonic(dy[:, None], dx * dz[:, None, None], permeability["y"], 2),
                "z": harmonic(dz[:, None, None], dx * dy[:, None], permeability["z"], 1)}
        flow["x"][..., fault - 1] = 0
        pairs, across = [], []
        low, high = permeability["x"][..., fault - 1], permeability["x"][..., fault]
        for line in range(len(y)):
            for row in range(len(z)):
                for other in range(len(z)):
                    upper = max(top[line, fault - 1] + edges["z"][row], top[line, fault] + edges["z"][other])
                    lower = min(top[line, fault - 1] + edges["z"][row + 1], top[line, fault] + edges["z"][other + 1])
                    both = (low[:, row, line] > 0) & (high[:, other, line] > 0)
                    if lower <= upper:
                        continue
                    resistance = dx[fault - 1] / 2 / np.where(both, low[:, row, line], 1) + dx[fault] / 2 / np.where(both, high[:, other, line], 1)
                    share = np.where(both, through * DARCY * dy[line] * (lower - upper) / resistance, 0)
                    if row == other:
                        flow["x"][:, row, line, fault - 1] = share
                    else:
                        pairs.append([(row * len(y) + line) * len(x) + fault - 1, (other * len(y) + line) * len(x) + fault])
                        across.append(share)
        for axis, values in flow.items():
            put(f"inputs/transmissibility_{axis}", "cP.m3/day/bar", values)
        if pairs:
            put("connections/first", "1", np.array(pairs)[:, 0], "f8")
            put("connections/second", "1", np.array(pairs)[:, 1], "f8")
            put("connections/transmissibility", "cP.m3/day/bar", np.array(across).T)
        return f"{kind}, throw {throw:.0f} m, {through:.0e} of the flow, {len(pairs)} connections"


def compute(plumecast, path, cases, substeps):
    """How many cases have finite values, messages of the others, and whether each has one or the other."""
    fields = path.with_suffix(".fields.h5")
    result = subprocess.run([plumecast, "estimate", path, "-o", fields, "--substeps", str(substeps)], capture_output=True, text=True)
    if result.returncode != 0:
        return 0, [result.stderr.strip()], "none of the cases can be computed" in result.stderr
    refused = re.findall(r"has no values: (.*)", result.stderr)
    with h5py.File(fields) as file, h5py.File(path) as source:
        active = np.broadcast_to(source["inputs/active"][:] != 0, (len(file["grid/times"]), cases, *source["inputs/active"].shape[1:]))
        finite = [bool(np.isfinite(file["outputs/pressure_buildup"][case][active[:, case]]).all()) for case in range(cases)]
    return sum(finite), refused, sum(finite) + len(refused) == cases


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plumecast")
    for name, usual in (("seed", 1), ("grids", 10), ("cases", 3), ("substeps", 2)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    options = parser.parse_args()
    is_whole = True
    print("| seed | grid | computed | refused |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for seed in range(options.seed, options.seed + options.grids):
            (folder / "cases.json").write_text(json.dumps(configuration(seed, options.cases)))
            box, site = folder / f"box{seed}.h5", folder / f"site{seed}.h5"
            subprocess.run([options.plumecast, "generate", folder / "cases.json", "--inputs-only", "-o", box], check=True, capture_output=True)
            for path, words in ((box, "box"), (site, bend(box, site, seed))):
                computed, refused, ended = compute(options.plumecast, path, options.cases, options.substeps)
                is_whole &= ended
                print(f"| {seed} | {words} | {computed} of {options.cases} | {' '.join(refused)} |", flush=True)
    sys.exit(0 if is_whole else 1)


if __name__ == "__main__":
    main()
