#!/usr/bin/env python3
"""Holds the limit at the optimum of `plumecast optimize`, simulated? For a data set of radial geologies of constant rates that
`plumecast generate --keep-decks` made, none of which any model has seen.

Usage: optimize_sites.py PLUMECAST DATA.h5 DECKS CALIBRATION.h5 FOLDER [--model BUNDLE] [--level 0.9] [--sites N] [--bisections N]

Each case is a site: the rate that stores most while the fracture margin (0.16 bar/m, factor 0.9) is at least 0. The margin of the limit is what the
predicted fracture margin is too large by in a share LEVEL of the cases of CALIBRATION.h5 (simulated too, of another seed). Then OPM Flow simulates each site
at its optimum, and at further rates that close in on the largest that keeps the limit. The fracture margin of simulated fields is that of
`plumecast report`. Prints the table of docs/benchmarks/optimization.md. Needs h5py and opm-common's Python package.
"""
import argparse
import json
import re
import shutil
import subprocess
from pathlib import Path

import h5py
import numpy as np
from opm.io.ecl import ERst

GRADIENT, FACTOR, LARGEST_RATE = 0.16, 0.9, 5.0
FLOW = ["--threads-per-process=1", "--enable-opm-rst-file=true", "--ecl-output-double-precision=true", "--enable-async-ecl-output=false",
        "--output-mode=log", "--initial-time-step-in-days=0.05", "--relaxed-max-pv-fraction=0", "--tolerance-mb=1e-11", "--tolerance-cnv=1e-3",
        "--tolerance-wells=1e-6", "--shut-unsolvable-wells=false", "--min-time-step-before-shutting-problematic-wells-in-days=1e-9",
        "--time-step-control-target-newton-iterations=4"]  # those of generate

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
for name in ("plumecast", "data", "decks", "calibration", "folder"):
    parser.add_argument(name, type=Path)
parser.add_argument("--model", default="")
parser.add_argument("--level", type=float, default=0.9)
parser.add_argument("--sites", type=int, default=0, help="the first N cases alone")
parser.add_argument("--bisections", type=int, default=6)
given = parser.parse_args()
given.folder.mkdir(parents=True, exist_ok=True)


def plumecast(*arguments):
    done = subprocess.run([str(given.plumecast.resolve()), *map(str, arguments)], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return done.stdout


def least_margins(fields):
    """The least fracture margin over time of each case of a file with fields [bar]."""
    report = given.folder / "report"
    plumecast("report", fields, "-o", report, "--fracture-gradient", GRADIENT, "--fracture-factor", FACTOR, "--force")
    cases = json.loads((report / "report.json").read_text())["cases"]
    return np.array([one["key_figures"]["fracture_margin"] for one in cases])


def predicted(cases):
    fields = given.folder / "fields.h5"
    if given.model:
        plumecast("predict", given.model, cases, "-o", fields, "--force")
    else:
        plumecast("estimate", cases, "-o", fields, "--force")
    return fields


def simulate(deck, target, rate, former):
    """Fields [T, rows, columns] of a deck whose rate is changed from `former` to `rate` [Mt/year]."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    text = (deck / "CASE.DATA").read_text()
    text = re.sub(r"(WCONINJE\n INJ GAS OPEN RATE )([\d.]+)", lambda found: f"{found[1]}{float(found[2]) * rate / former:.3f}", text)
    (target / "CASE.DATA").write_text(text)
    with open(target / "flow.log", "w") as log:
        subprocess.run(["flow", "CASE.DATA", "--output-dir=.", *FLOW], cwd=target, check=True, stdout=log, stderr=log)
    run = ERst(str(target / "CASE.UNRST"))
    start = np.array(run["PRESSURE", 0])
    return [(np.array(run["SGAS", step]), np.array(run["PRESSURE", step]) - start) for step in run.report_steps if step > 0]


def simulated_margins(rates):
    """The least fracture margins of the sites, simulated at these rates [Mt/year]; NaN where the simulator fails."""
    cases = given.folder / "simulated.h5"
    shutil.copy(given.data, cases)
    kept = []
    with h5py.File(cases, "r+") as file:
        former, numbers = file["inputs/injection_rate"][:], file["case/number"][:]
        for site, rate in enumerate(rates):
            steps = simulate(given.decks / f"case_{numbers[site]:08d}", given.folder / "run", rate, former[site])
            if len(steps) != len(file["grid/times"]):
                continue
            kept.append(site)
            columns = file["inputs/porosity"].shape[2]
            for time, (gas, buildup) in enumerate(steps):
                rows = len(gas) // columns
                file["outputs/gas_saturation"][site, time, :rows] = gas.reshape(rows, columns)
                file["outputs/pressure_buildup"][site, time, :rows] = buildup.reshape(rows, columns)
            file["inputs/injection_rate"][site] = rate
        for name in list(file["case"]):
            if name == "injected_mass":
                del file["case"][name]
    margins = least_margins(cases)[: len(rates)]
    return np.array([margins[site] if site in kept else np.nan for site in range(len(rates))])


margin = float(np.quantile(least_margins(predicted(given.calibration)) - least_margins(given.calibration), given.level, method="higher"))
margin = max(margin, 0.0)
with h5py.File(given.data) as file:
    sites = given.sites or len(file["inputs/injection_rate"])
(given.folder / "config.json").write_text(json.dumps({
    "data": str(given.data), "cases": list(range(sites)), "model": given.model, "output": str(given.folder / "optimum"),
    "rates": {"range": [0.0, LARGEST_RATE]}, "fracture": {"gradient": GRADIENT, "factor": FACTOR},
    "limits": [{"figure": "fracture_margin", "at_least": 0.0, "margin": margin}], "probability": 0.9,
    "search": {"points": 32}}))
plumecast("optimize", given.folder / "config.json", "--each", "--force")
study = json.loads((given.folder / "optimum" / "optimum.json").read_text())
chosen = {one["case"]: one["variables"][0]["value"] for one in study["sites"]}
rates = np.array([chosen[site] for site in range(sites)])
print(f"by {study['fields']}; margin {margin:.2f} bar; {study['cases_computed']} cases computed", flush=True)
at_optimum = simulated_margins(np.maximum(rates, 1e-3))
print("simulated margins at the optimum [bar]:", np.round(at_optimum, 2).tolist(), flush=True)
low, high = np.where(at_optimum >= 0, rates, 0.0), np.where(at_optimum >= 0, LARGEST_RATE, rates)
low_margin, high_margin = np.where(at_optimum >= 0, at_optimum, np.nan), np.where(at_optimum >= 0, np.nan, at_optimum)
for step in range(given.bisections):
    # The margin falls about linearly with the rate: the first step goes a little beyond, then towards the root between both ends.
    guess = np.where(np.isnan(high_margin), np.minimum(low * (1.3 if step == 0 else 1.6), LARGEST_RATE),
                     np.where(np.isnan(low_margin), 0.8 * high, 0.5 * (low + high)))
    both = ~np.isnan(low_margin) & ~np.isnan(high_margin)
    if step % 2 == 1:
        root = low + (high - low) * low_margin / (low_margin - high_margin)
        guess = np.where(both, np.clip(root, low + 0.05 * (high - low), high - 0.05 * (high - low)), guess)
    found = simulated_margins(np.maximum(guess, 1e-3))
    holds = found >= 0
    low, low_margin = np.where(holds, np.maximum(low, guess), low), np.where(holds, found, low_margin)
    high, high_margin = np.where(holds, high, guess), np.where(holds, high_margin, found)
held = at_optimum >= 0
shares = np.where((low > 0) & (given.bisections > 0), rates / np.where(low > 0, low, 1.0), np.nan)
print("\n| site | rate at the optimum [Mt/year] | simulated margin there [bar] | holds | largest rate that the simulator allows | stored per largest |")
print("|---|---|---|---|---|---|")
for site in range(sites):
    print(f"| {site} | {rates[site]:.3f} | {at_optimum[site]:.2f} | {'yes' if held[site] else 'no'} | {low[site]:.3f} to {high[site]:.3f} | {shares[site]:.2f} |")
print(f"\nholds in {held.sum()} of {sites}; stored mass per the largest that the simulator allows, median {np.nanmedian(shares):.2f}")
