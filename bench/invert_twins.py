#!/usr/bin/env python3
"""Twins for `plumecast invert`: simulated reservoirs whose early data are inverted and whose later fields are compared (docs/benchmarks/inversion.md).

Usage: invert_twins.py PLUMECAST MODEL CASES.json SIMULATED.h5 FOLDER [--truths N] [--members N] [--first K] [--simulate N]
                       [--ways with without] [--checked TRUTHS] [--simulator FLOW] [--jobs N]
                                                                             needs h5py and numpy; OPM Flow where SIMULATED.h5 is missing

SIMULATED.h5 holds cases that `plumecast generate CASES.json` simulated and that took no part in the training of MODEL; where it is missing, 150 of them
are simulated first (seed 7701, or --simulate N and --simulate-seed S). Each of the truths, from case K on, is one of them; the others are what the model's error is taken from. The prior of a truth is drawn by `generate --inputs-only` from
CASES.json with the scalars of the truth and another seed; permeabilities and porosity are unknown. Observed are the build-up and the saturation
at the injector and 500 m away, at the top and in the middle of the formation, from the first month to five years, with noise of 2 % or 0.2 bar
and of 0.05. Each truth is inverted with and without the model's error (--ways), first all with it. Of the first TRUTHS (none unless told), ten members of the prior and of the posterior
with the model's error are simulated too, and their misfit compared. Prints the tables, and writes FOLDER/twins.csv. A command that was stopped goes on
where it was when it is given again: what is simulated, and each inversion that ended, is kept.
"""

import argparse
import csv
import hashlib
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np

SCALARS = ["injection_rate", "initial_pressure", "temperature", "irreducible_water_saturation", "van_genuchten_lambda", "thickness"]
UNKNOWN = ["permeability_r", "permeability_z", "porosity"]
EARLIEST, LATEST = 30.0, 5 * 365.25  # of the observations [day]


def output(plumecast, *arguments):
    """What a call prints."""
    done = subprocess.run([plumecast, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def run(plumecast, *arguments):
    """Processor time of a call [s]."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output(plumecast, *arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def draw_prior(options, truth, folder, number):
    """Realizations with the scalars of the truth."""
    config = json.loads(Path(options.cases).read_text())
    with h5py.File(truth) as file:
        for name in SCALARS:
            value = float(file["inputs/" + name][0])
            config["inputs"][name] = [value, value]
        if config["inputs"]["thickness"][0] < config["inputs"]["least_perforation"]:
            config["inputs"]["least_perforation"] = config["inputs"]["thickness"][0]
    config["checks"]["estimated_buildup"] = 1e9
    (folder / "prior.json").write_text(json.dumps(config))
    run(options.plumecast, "generate", folder / "prior.json", "-o", folder / "prior.h5", "--inputs-only", "--cases", options.members,
        "--seed", 9000 + number, "--force")


def observe(truth, path, number):
    """Writes what is measured, with noise."""
    noise = np.random.default_rng(100 + number)
    rows = []
    with h5py.File(truth) as file:
        r, z, times = (file["grid/" + name][:] for name in ("r_edges", "z_edges", "times"))
        depth = int(file["inputs/active"][0, :, 0].sum())
        well_rows = np.flatnonzero(file["inputs/perforation"][0, :, 0] > 0)
        column = int(np.searchsorted(r, 500.0)) - 1
        places = [(int(well_rows[len(well_rows) // 2]), 0), (0, column), (depth // 2, column)]
        for t in np.flatnonzero((times >= EARLIEST) & (times <= LATEST)):
            for row, col in dict.fromkeys(places):
                place = f"{(r[col] + r[col + 1]) / 2:.6g},{(z[row] + z[row + 1]) / 2:.6g},{times[t]:.8g}"
                buildup = float(file["outputs/pressure_buildup"][0, t, row, col])
                deviation = max(0.2, 0.02 * abs(buildup))
                rows.append(f"pressure_buildup,{place},{buildup + deviation * noise.standard_normal():.6g},bar,{deviation:.6g}")
                saturation = float(file["outputs/gas_saturation"][0, t, row, col]) + 0.05 * noise.standard_normal()
                rows.append(f"gas_saturation,{place},{np.clip(saturation, -0.149, 1.149):.6g},1,0.05")  # within three deviations
    path.write_text("\n".join(["field,r,z,time,value,unit,standard_deviation", *rows]) + "\n")


def figures(path):
    """Mean fields at the last time, and of each member the radius of the plume and the largest build-up."""
    with h5py.File(path) as file:
        active = file["inputs/active"][0] > 0
        centers = (file["grid/r_edges"][:-1] + file["grid/r_edges"][1:]) / 2
        gas = np.where(active, np.nan_to_num(file["outputs/gas_saturation"][:, -1]), 0)
        buildup = np.where(active, np.nan_to_num(file["outputs/pressure_buildup"][:, -1]), 0)
    radii = [max(centers[(one > 0.01).any(axis=0)], default=0.0) for one in gas]
    return {"gas": gas.mean(axis=0), "buildup": buildup.mean(axis=0), "radius": np.array(radii), "largest": buildup.max(axis=(1, 2)),
            "active": active}


def compared(truth, prior, posterior, record):
    """The row of one inversion."""
    def error(members, field):
        cells = truth["active"] if field == "buildup" else (truth["gas"] > 0.01) | (members["gas"] > 0.01)
        return float(np.abs(members[field] - truth[field])[cells].mean())

    def holds(name):
        low, high = np.percentile(posterior[name], [5, 95])
        return int(low <= truth[name][0] <= high)

    last = record["steps"][-1]
    return {"buildup": error(posterior, "buildup") / error(prior, "buildup"), "saturation": error(posterior, "gas") / error(prior, "gas"),
            "radius": holds("radius"), "largest": holds("largest"), "misfit": last["mean_misfit"], "not_good": last["not_good"],
            "predictions": len(record["steps"]),
            "calibration_cases": record["calibration_cases"]}


def kept(path, settings, make):
    """What an earlier run with the same settings wrote to a file, else what `make` returns, which is written."""
    if path.exists() and (record := json.loads(path.read_text()))["settings"] == settings:
        return record["result"]
    result = make()
    path.write_text(json.dumps({"settings": settings, "result": result}))
    return result


def prepare(options, number, folder):
    """Truth, prior, what the model predicts of it, and observations; the processor time of the predictions [s]."""
    folder.mkdir(parents=True, exist_ok=True)
    truth = folder / "truth.h5"
    run(options.plumecast, "subset", options.simulated, "-o", truth, "--cases", number, "--force")
    draw_prior(options, truth, folder, number)
    observe(truth, folder / "observations.csv", number)
    return run(options.plumecast, "predict", options.model, folder / "prior.h5", "-o", folder / "prior_fields.h5", "--force")


def invert(options, number, folder, way, error):
    """The row of one truth with or without the model's error."""
    config = {"model": str(Path(options.model).resolve()), "case": "truth.h5", "prior": "prior.h5", "unknown": UNKNOWN,
              "observations": "observations.csv", "output": way, "model_error": error, "seed": number}
    (folder / f"{way}.json").write_text(json.dumps(config))
    seconds = run(options.plumecast, "invert", folder / f"{way}.json", "--force")
    run(options.plumecast, "predict", options.model, folder / way / "posterior.h5", "-o", folder / f"{way}_fields.h5", "--force")
    record = json.loads((folder / way / "inversion.json").read_text())
    row = compared(figures(folder / "truth.h5"), figures(folder / "prior_fields.h5"), figures(folder / f"{way}_fields.h5"), record)
    print({k: round(v, 3) if isinstance(v, float) else v for k, v in {"truth": number, "model_error": way, **row}.items()}, file=sys.stderr, flush=True)
    return {"truth": number, "model_error": way, **row, "invert_seconds": seconds}


def invert_truth(options, number, way, rest):
    folder = options.folder / f"truth_{number}"
    folder.mkdir(parents=True, exist_ok=True)
    settings = {"model": str(Path(options.model).resolve()), "members": options.members, "simulated": digest(options.simulated), "rest": digest(rest),
                "program": digest(options.plumecast), "cases": digest(options.cases)}
    predicting = kept(folder / "prepared.json", settings, lambda: prepare(options, number, folder))
    row = kept(folder / f"{way}_row.json", settings, lambda: invert(options, number, folder, way, rest if way == "with" else "off"))
    return row | {"predict_seconds": predicting}


def simulated_misfit(options, folder, members):
    """Squared misfit per observation of the first ten members of a data set, simulated: its mean over those that the simulator computes, and their number."""
    chosen, simulated = folder / f"{members.stem}_ten.h5", folder / f"{members.stem}_simulated.h5"
    if not simulated.exists():
        run(options.plumecast, "subset", members, "-o", chosen, "--cases", "0-9", "--force")
        run(options.plumecast, "simulate", chosen, "-o", simulated, "--simulator", options.simulator, "--jobs", options.jobs, "--resume")
    with open(folder / "observations.csv") as table, h5py.File(simulated) as file:
        grid = {name: file["grid/" + name][:] for name in ("r_edges", "z_edges", "times")}
        misfits = []
        for row in csv.DictReader(table):
            column, layer = (int(np.searchsorted(grid[edges], float(row[name]))) - 1 for edges, name in (("r_edges", "r"), ("z_edges", "z")))
            time = int(np.abs(grid["times"] - float(row["time"])).argmin())
            values = file["outputs/" + row["field"]][:, time, layer, column]
            misfits.append(((values - float(row["value"])) / float(row["standard_deviation"])) ** 2)
    return float(np.mean(misfits)), len(misfits[0])


def print_checked(options, numbers):
    """What simulations say of members before and after the data."""
    print("\n| truth | members simulated before, after | their squared misfit per observation before | after | ratio (aim 0.33) |\n|---:|---|---:|---:|---:|")
    for number in numbers:
        folder = options.folder / f"truth_{number}"
        (before, some), (after, others) = (simulated_misfit(options, folder, members) for members in (folder / "prior.h5", folder / "with" / "posterior.h5"))
        print(f"| {number} | {some}, {others} | {before:.2f} | {after:.2f} | {after / before:.3f} |", flush=True)


def print_table(rows, names):
    ways = [[row for row in rows if row["model_error"] == way] for way in names]

    def line(title, measure, target):
        print(f"| {title} | {' | '.join(measure(some) for some in ways)} | {target} |")

    def median(name):
        return lambda some: f"{np.median([row[name] for row in some]):.2f}"

    def count(condition):
        return lambda some: f"{sum(map(condition, some))} of {len(some)}"

    print(f"| {len(ways[0])} truths | {' | '.join(names)} the model's error | target |\n|---|{'---:|' * len(names)}---|")
    line("build-up at 30 years: MRE of the posterior mean over that of the prior mean, median", median("buildup"), "<= 0.35")
    line("saturation at 30 years: the same for MPE", median("saturation"), "<= 0.75")
    line("90 % interval holds the plume radius", count(lambda row: row["radius"]), "16 of 20")
    line("90 % interval holds the largest build-up", count(lambda row: row["largest"]), "16 of 20")
    line("squared misfit of the posterior mean per observation <= 1.5", count(lambda row: row["misfit"] <= 1.5), "18 of 20")
    line("processor time of `esmda` over that of its predictions alone, median",
         lambda some: f"{np.median([row['invert_seconds'] / (row['predictions'] * row['predict_seconds']) for row in some]):.2f}", "<= 1.15")
    print("\n| truth | model's error | build-up | saturation | holds radius, largest build-up | misfit | not good |\n|---:|---|---:|---:|---|---:|---:|")
    for row in rows:
        print(f"| {row['truth']} | {row['model_error']} | {row['buildup']:.2f} | {row['saturation']:.2f} | {'yes' if row['radius'] else 'no'}, "
              f"{'yes' if row['largest'] else 'no'} | {row['misfit']:.2f} | {row['not_good']} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("plumecast", "model", "cases", "simulated"):
        parser.add_argument(name)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--truths", type=int, default=20)
    parser.add_argument("--members", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--simulate", type=int, default=150)
    parser.add_argument("--simulate-seed", type=int, default=7701)
    parser.add_argument("--ways", nargs="+", choices=("with", "without"), default=["with", "without"])
    parser.add_argument("--checked", type=int, default=0)
    parser.add_argument("--simulator", default="flow")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    options.plumecast = os.path.abspath(options.plumecast)
    if not Path(options.simulated).exists():
        run(options.plumecast, "generate", options.cases, "-o", options.simulated, "--cases", options.simulate, "--seed", options.simulate_seed, "--resume")
    with h5py.File(options.simulated) as file:
        count = len(file["inputs/injection_rate"])
    numbers = range(options.first, options.first + options.truths)
    others = [f"{low}-{high}" for low, high in ((0, options.first - 1), (numbers[-1] + 1, count - 1)) if high >= low]
    rest = options.folder / "rest.h5"
    run(options.plumecast, "subset", options.simulated, "-o", rest, "--cases", ",".join(others), "--force")
    rows = []
    for way in options.ways:
        for number in numbers:
            rows.append(invert_truth(options, number, way, str(rest)))
            with open(options.folder / "twins.csv", "w", newline="") as file:
                table = csv.DictWriter(file, rows[0].keys())
                table.writeheader()
                table.writerows(rows)
    print_table(rows, options.ways)
    if options.checked:
        print_checked(options, numbers[:options.checked])


if __name__ == "__main__":
    main()
