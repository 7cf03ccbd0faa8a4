#!/usr/bin/env python3
"""How often the verdicts of `plumecast estimate` are right, on simulated cases (docs/benchmarks/trust.md).

Usage: estimate_verdicts.py PLUMECAST USUAL.h5 DATA.h5 [DATA.h5 ...] [--substeps N] [--csv FILE]        needs h5py and numpy
       estimate_verdicts.py PLUMECAST --bounds MPE MRE DATA.h5 [DATA.h5 ...] [--substeps N] [--csv FILE]

A case of DATA is far off when its MPE or MRE exceeds three times the median of USUAL, simulated cases within the ranges of `generate`, or the stated
bounds. Prints the bounds, then how many cases are far off and caught (doubtful or bad), and how many of the others are false alarms: of USUAL, of each
file, and of all files together by regime. --csv keeps a line for each case.
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

REGIMES = [("temperature", [(12, 31), (31, 70), (70, 127), (127, 170)], "degC"),
           ("permeability", [(0, 100), (100, 500), (500, 2000), (2000, 1e6)], "mD"),
           ("thickness", [(0, 200), (200, 501)], "m"),
           ("initial_pressure", [(75, 100), (100, 300), (300, 401)], "bar")]


def run(*arguments):
    done = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def judged(options, data, folder):
    """A dict of each case: its errors, its verdict and what it is a case of."""
    fields = Path(folder) / "fields.h5"
    run(options.plumecast, "estimate", data, "-o", fields, "--force", "--substeps", options.substeps)
    errors = {one["field"]: one["cases"] for one in json.loads(run(options.plumecast, "evaluate", fields, data, "--json"))["fields"]}
    with h5py.File(fields) as results, h5py.File(data) as file:
        trust, reasons = results["case/trust"][:], results["case/trust_reasons"][:]
        permeability = file["inputs/permeability_r" if "inputs/permeability_r" in file else "inputs/permeability_x"]
        cases = []
        for gas, pressure in zip(errors["gas_saturation"], errors["pressure_buildup"]):
            n = gas["case"]
            active = file["inputs/active"][n] != 0
            case = {name: float(file["inputs/" + name][n]) for name in ("temperature", "thickness", "initial_pressure", "injection_rate")}
            case |= {"file": Path(data).name, "case": n, "permeability": float(np.exp(np.log(permeability[n][active]).mean())),
                     "mpe": gas["mpe"], "mre": pressure["mre"], "trust": int(trust[n]), "reason": reasons[n].decode(errors="replace")}
            cases.append(case)
    return cases


def row(name, cases, bounds):
    far = [case for case in cases if case["mpe"] > bounds[0] or case["mre"] > bounds[1]]
    others = [case for case in cases if case not in far]
    caught = sum(case["trust"] > 0 for case in far)
    alarms = sum(case["trust"] > 0 for case in others)
    share = f" ({100 * alarms / len(others):.0f} %)" if others else ""
    print(f"| {name} | {len(far)} | {caught} | {len(others)} | {alarms}{share} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("plumecast")
    parser.add_argument("data", nargs="+", help="data sets; without --bounds the first is that of usual cases")
    parser.add_argument("--bounds", type=float, nargs=2, metavar=("MPE", "MRE"), help="above which a case is far off")
    parser.add_argument("--substeps", type=int, default=2)
    parser.add_argument("--csv")
    options = parser.parse_args()
    if not options.bounds and len(options.data) < 2:
        parser.error("without --bounds the first data set is that of usual cases, and one more is needed")
    with tempfile.TemporaryDirectory() as folder:
        sets = {data: judged(options, data, folder) for data in options.data}
    usual = sets[options.data[0]]
    bounds = options.bounds or [3.0 * float(np.median([case[error] for case in usual])) for error in ("mpe", "mre")]
    print(f"far off: MPE above {bounds[0]:.4f} or MRE above {bounds[1]:.4f}"
          + ("" if options.bounds else f", three times the medians of {len(usual)} cases of {options.data[0]}") + "\n")
    print("| cases | far off | caught | others | false alarms |\n|---|---:|---:|---:|---:|")
    for name, cases in sets.items():
        row(f"{Path(name).name}, {len(cases)} cases", cases, bounds)
    everything = [case for cases in list(sets.values())[0 if options.bounds else 1:] for case in cases]
    for quantity, ranges, unit in REGIMES:
        for low, high in ranges:
            row(f"{quantity} {low:g} to {high:g} {unit}", [case for case in everything if low <= case[quantity] < high], bounds)
    if options.csv:
        with open(options.csv, "w", newline="") as table:
            writer = csv.DictWriter(table, list(everything[0]))
            writer.writeheader()
            writer.writerows(case for cases in sets.values() for case in cases)


if __name__ == "__main__":
    main()
