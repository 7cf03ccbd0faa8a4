#!/usr/bin/env python3
"""Whether two-phase physics computes drawn cases with dips, faults, 1 to 4 wells and contrasts of 1e6, and how far it is from
OPM Flow on such sites (docs/benchmarks/three_dimensions.md).

Usage: drawn_boxes.py PLUMECAST [--seed 1] [--grids 10] [--cases 3] [--substeps 2] [--flow PROGRAM]      needs h5py and numpy

`generate` draws boxes of 8 x 16 x 16 cells with schedules, salt and hysteresis, of level layers and of layers with a dip, an anticline
and one or two faults that throw by half a layer to three and let 1e-6 to all of the flow through. Without --flow a line for each data
set: how many cases were computed, and the message of each that was not; exit status 1 where a case ends without either. With --flow
rock of usual contrasts is simulated, and a line has the errors of the estimate, and seconds a case of the simulator and of the estimate.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np

LAYER = 12.0  # m


def topography(random):
    """How the layers of a site lie."""
    faults = [{"along": axis, "at": float(random.uniform(1500, 4900)), "throw": float(random.choice([-1, 1]) * random.uniform(0.5, 3) * LAYER),
               "multiplier": [1e-6, 1.0]} for axis in ("y", "x")[:random.integers(1, 3)]]
    if random.random() < 0.5:
        faults[0]["ends"] = sorted(float(end) for end in (random.uniform(-2000, 2000), random.uniform(4400, 8400)))
    rise = {"height": float(random.uniform(30, 150)), "x": float(random.uniform(2000, 4400)), "y": float(random.uniform(2000, 4400)),
            "length": float(random.uniform(1500, 4000)), "width": float(random.uniform(800, 2000)), "direction": float(random.uniform(0, 180))}
    return {"dip": float(random.uniform(0, 12)), "dip_direction": float(random.uniform(0, 360)),
            "anticlines": [rise] if random.random() < 0.5 else [], "faults": faults}


def configuration(seed, cases, is_site, flow):
    schedule = {"laws": {"constant": 1, "ramp": 1, "steps": 1, "intermittent": 1}, "changes": [0.5, 2.0], "stop": [5.0, 25.0], "period": 1.0}
    drawn = {"cases": cases, "seed": seed,
             "box": {"rows": 8, "lines": 16, "columns": 16, "height": 8 * LAYER, "length_y": 6400.0, "length_x": 6400.0, "aquifer": 1000.0},
             "inputs": {"thickness": [60.0, 8 * LAYER], "residual_gas_saturation": [0.0, 0.4], "salinity": [0.0, 0.2],
                        "injection_rate": [0.05, 0.4], "schedule": schedule},
             "wells": {"count": [1, 4], "margin": 1000.0, "least_distance": 800.0}, "times": {"count": 28, "first": 10.0, "growth": 1.3}}
    if is_site:
        drawn["box"]["topography"] = topography(np.random.default_rng(seed))
    if flow:
        drawn["simulator"] = {"program": flow}
    else:
        drawn["permeability"] = {"geometric_mean": [20.0, 3000.0], "log_deviation": [1.0, 3.5]}
    return drawn


def words_of(drawn):
    if "topography" not in drawn["box"]:
        return "level"
    lies = drawn["box"]["topography"]
    rises = "".join(f", anticline of {rise['height']:.0f} m" for rise in lies["anticlines"])
    return f"dip of {lies['dip']:.0f} degrees{rises}, throws of {' and '.join('%.0f' % fault['throw'] for fault in lies['faults'])} m"


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


def compare(plumecast, path, seconds, substeps):
    """Cells of a line: errors of saturation and build-up, worst saturation, seconds a case of the simulator and the estimate."""
    fields = path.with_suffix(".fields.h5")
    with h5py.File(path) as file:
        cases = len(file["case/number"])
        simulated = cases + sum(file["case/rejected_reason"][:] > 0) if "case/rejected_reason" in file else cases
    begin = time.monotonic()
    subprocess.run([plumecast, "estimate", path, "-o", fields, "--substeps", str(substeps), "--threads", "1"], check=True, capture_output=True)
    estimated = time.monotonic() - begin
    text = subprocess.run([plumecast, "evaluate", fields, path, "--json", "--per-case"], check=True, capture_output=True, text=True).stdout
    found = {field["field"]: field for field in json.loads(text)["fields"]}
    saturation, buildup = found["gas_saturation"], found["pressure_buildup"]
    worst = max(case["mpe"] for case in saturation["cases"])
    return (f"{cases} | {saturation['mean']['mpe']:.4f} ({worst:.4f}) | {buildup['mean']['mre']:.4f} | "
            f"{seconds / simulated:.1f} | {estimated / cases:.3f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plumecast")
    for name, usual in (("seed", 1), ("grids", 10), ("cases", 3), ("substeps", 2)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--flow", help="OPM Flow 2024.10 or newer")
    options = parser.parse_args()
    is_whole = True
    print("| seed | layers | cases | MPE (worst) | MRE | simulator [s] | estimate [s] |\n|---|---|---|---|---|---|---|" if options.flow
          else "| seed | layers | computed | refused |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for seed in range(options.seed, options.seed + options.grids):
            for is_site in (False, True):
                drawn = configuration(seed, options.cases, is_site, options.flow)
                (folder / "cases.json").write_text(json.dumps(drawn))
                path = folder / f"{'site' if is_site else 'box'}{seed}.h5"
                begin = time.monotonic()
                subprocess.run([options.plumecast, "generate", folder / "cases.json", "-o", path,
                                *([] if options.flow else ["--inputs-only"])], check=True, capture_output=True)
                if options.flow:
                    cells = compare(options.plumecast, path, time.monotonic() - begin, options.substeps)
                    print(f"| {seed} | {words_of(drawn)} | {cells}", flush=True)
                    continue
                computed, refused, ended = compute(options.plumecast, path, options.cases, options.substeps)
                is_whole &= ended
                print(f"| {seed} | {words_of(drawn)} | {computed} of {options.cases} | {' '.join(refused)} |", flush=True)
    sys.exit(0 if is_whole else 1)


if __name__ == "__main__":
    main()
