#!/usr/bin/env python3
"""`plumecast invert` beside the ES-MDA of ERT, which drives `plumecast predict`: one twin of four unknown numbers (docs/benchmarks/inversion.md).

Usage: ert_esmda.py PLUMECAST MODEL FOLDER [--ert ERT] [--members N] [--steps N] [--repeats N] [--draws N]
                                                                            needs h5py and numpy, and ERT in an environment that has h5py

A homogeneous cylinder of 32 x 64 cells has an unknown permeability, porosity, irreducible water saturation and van Genuchten exponent, normal in
the prior (permeability as a logarithm). The truth is predicted by MODEL too, so the model is exact; observed are the build-up in the innermost ring
and 200 m away and the saturation there, with noise. FOLDER/twin.ert is what ERT runs: each realization is a case, a prediction and its values
where observed (docs/workflow/ert/jobs). `plumecast invert` takes the realizations that ERT drew, the same steps of equal weight and no
localization, and is repeated with other realizations of the same prior, which tells what chance does. The posterior itself is an
importance sample: N draws of a Student distribution about what invert found, each with prior times likelihood over its density.
Prints tables; times are of this run on this machine.
"""

import argparse
import csv
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

import h5py
import numpy as np

import invert_twins

JOBS = Path(__file__).resolve().parents[1] / "docs" / "workflow" / "ert" / "jobs"
NAMES = ["LOG10_PERMEABILITY", "POROSITY", "IRREDUCIBLE_WATER_SATURATION", "VAN_GENUCHTEN_LAMBDA"]
MEAN, DEVIATION = np.array([0.0, 0.2, 0.2, 0.5]), np.array([0.15, 0.03, 0.04, 0.08])
TRUTH = MEAN + DEVIATION * np.array([0.6, -0.7, 0.8, -0.5])
PERMEABILITY, ANISOTROPY = 80.0, 10.0  # of LOG10_PERMEABILITY 0 [mD], and horizontal over vertical
TIMES = (13, 15, 16, 17, 18)  # snapshots, from one year to five
DISTANCE = 200.0  # of the second place from the well [m]
DEGREES = 5  # of freedom of the Student distribution
AT_ONCE = 250


def measured(command, **where):
    """Wall and processor time [s] of a command and all that it started."""
    begun, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **where)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return np.array([time.perf_counter() - begun, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime])


def write_cases(options, path, numbers):
    """A data set whose cases have these numbers [N, 4]."""
    invert_twins.run(options.plumecast, "generate", options.cases, "-o", path, "--inputs-only", "--cases", len(numbers), "--force")
    with h5py.File(path, "a") as file:
        active = file["inputs/active"][:] != 0
        permeability = PERMEABILITY * 10.0 ** numbers[:, 0, None, None]
        file["inputs/permeability_r"][:] = active * permeability
        file["inputs/permeability_z"][:] = active * permeability / ANISOTROPY
        file["inputs/porosity"][:] = active * numbers[:, 1, None, None]
        file["inputs/irreducible_water_saturation"][:] = numbers[:, 2]
        file["inputs/van_genuchten_lambda"][:] = numbers[:, 3]


def numbers_of(path):
    """The numbers [N, 4] of a data set."""
    with h5py.File(path) as file:
        inputs = file["inputs"]
        return np.stack([np.log10(inputs["permeability_r"][:, 0, 0] / PERMEABILITY), inputs["porosity"][:, 0, 0],
                         inputs["irreducible_water_saturation"][:], inputs["van_genuchten_lambda"][:]], axis=1).astype(float)


def predicted(options, numbers):
    """What is observed of cases with these numbers, [N, D]."""
    cases, fields = options.folder / "some.h5", options.folder / "some_fields.h5"
    values = []
    for first in range(0, len(numbers), AT_ONCE):
        write_cases(options, cases, numbers[first:first + AT_ONCE])
        invert_twins.run(options.plumecast, "predict", options.model, cases, "-o", fields, "--force")
        with h5py.File(fields) as file:
            values.append(np.stack([file["outputs/" + field][:, t, row, column] for field, t, row, column in options.places], axis=1))
    cases.unlink()
    fields.unlink()
    return np.concatenate(values).astype(float)


def choose_places(options):
    """Places [D] of the observations and how they are called in the tables, from the grid."""
    write_cases(options, options.folder / "case.h5", MEAN[None])
    with h5py.File(options.folder / "case.h5") as file:
        r, z, times = (file["grid/" + name][:] for name in ("r_edges", "z_edges", "times"))
        rows = int(file["inputs/active"][0, :, 0].sum())
    far = int(np.searchsorted(r, DISTANCE)) - 1
    spots = [("pressure_buildup", rows // 2, 0), ("pressure_buildup", rows // 2, far), ("gas_saturation", 0, far), ("gas_saturation", rows // 2, far)]
    options.places = [(field, t, row, column) for t in TIMES for field, row, column in spots]
    return [f"{field},{(r[column] + r[column + 1]) / 2:.8g},{(z[row] + z[row + 1]) / 2:.8g},{times[t]:.10g}" for field, t, row, column in options.places]


def write_observations(options, called, observed, errors):
    folder = options.folder
    lines = [f"{place},{value:.9g},{'bar' if place.startswith('pressure') else '1'},{error:.9g}" for place, value, error in zip(called, observed, errors)]
    (folder / "observations.csv").write_text("\n".join(["field,r,z,time,value,unit,standard_deviation", *lines]) + "\n")
    (folder / "observed.txt").write_text("".join(f"{value:.9g} {error:.9g}\n" for value, error in zip(observed, errors)))


def write_ert(options):
    (options.folder / "priors.txt").write_text("".join(f"{name} NORMAL {mean:g} {deviation:g}\n" for name, mean, deviation in zip(NAMES, MEAN, DEVIATION)))
    (options.folder / "observations.ert").write_text("GENERAL_OBSERVATION MONITORING { DATA = OBSERVED; RESTART = 0; OBS_FILE = observed.txt; };\n")
    steps = ("PLUMECAST_CASE", "<CASES>=<CONFIG_PATH>/case.h5"), ("PLUMECAST_PREDICT", f"<MODEL>={options.model}"), \
            ("PLUMECAST_OBSERVE", "<OBSERVATIONS>=<CONFIG_PATH>/observations.csv")
    (options.folder / "twin.ert").write_text("\n".join([
        f"NUM_REALIZATIONS {options.members}", "RANDOM_SEED 7", "QUEUE_SYSTEM LOCAL", "QUEUE_OPTION LOCAL MAX_RUNNING 2",
        "RUNPATH <CONFIG_PATH>/runs/realization-<IENS>/iter-<ITER>", "ENSPATH <CONFIG_PATH>/storage", "RUNPATH_FILE <CONFIG_PATH>/runs/runpath_list",
        "GEN_KW UNKNOWN priors.txt", "GEN_DATA OBSERVED RESULT_FILE:observed_%d REPORT_STEPS:0", "OBS_CONFIG observations.ert",
        *(f"INSTALL_JOB {name} {JOBS / name}" for name, _ in steps), *(f"FORWARD_MODEL {name}({arguments})" for name, arguments in steps)]) + "\n")


def run_ert(options):
    """Times of ES-MDA, which leaves a folder for each realization and iteration."""
    for name in ("runs", "storage"):
        shutil.rmtree(options.folder / name, ignore_errors=True)
    programs = [str(Path(options.ert).parent), str(Path(options.plumecast).parent), os.environ["PATH"]]
    weights = ",".join([str(options.steps)] * options.steps)
    return measured([options.ert, "es_mda", "--disable-monitoring", "--weights", weights, "twin.ert"], cwd=options.folder,
                    env={**os.environ, "PATH": os.pathsep.join(programs), "QT_QPA_PLATFORM": "offscreen"})


def ert_ensemble(options, iteration):
    """Numbers [N, 4] and predictions [N, D] of an iteration."""
    numbers, values = [], []
    for member in range(options.members):
        folder = options.folder / "runs" / f"realization-{member}" / f"iter-{iteration}"
        drawn = json.loads((folder / "parameters.json").read_text())
        numbers.append([drawn[name]["value"] for name in NAMES])
        values.append(np.loadtxt(folder / "observed_0"))
    return np.array(numbers), np.array(values)


def invert(options, prior, seed):
    """Numbers [N, 4] that `plumecast invert` makes of these [N, 4], its mean predictions [D], misfit and times."""
    name = f"posterior_{seed}"
    write_cases(options, options.folder / "prior.h5", prior)
    config = {"model": options.model, "case": "case.h5", "prior": "prior.h5", "observations": "observations.csv", "output": name, "method": "esmda",
              "unknown": ["permeability_r", "permeability_z", *(name.lower() for name in NAMES[1:])], "steps": options.steps, "localization": 0, "seed": seed}
    (options.folder / f"{name}.json").write_text(json.dumps(config, indent=2))
    times = measured([options.plumecast, "invert", options.folder / f"{name}.json", "--force"])
    with open(options.folder / name / "observations.csv", newline="") as file:
        means = np.array([float(row["posterior_mean"]) for row in csv.DictReader(file)])
    record = json.loads((options.folder / name / "inversion.json").read_text())
    return numbers_of(options.folder / name / "posterior.h5"), means, record["steps"][-1]["members_misfit"], times


def importance_sample(options, about, observed, errors):
    """Numbers [N, 4], predictions [N, D] and weights [N] of the posterior."""
    rng = np.random.default_rng(3)
    scaled = (about - MEAN) / DEVIATION
    factor = np.linalg.cholesky(np.cov(scaled.T)) * 1.3
    normal, chi = rng.standard_normal((options.draws, len(NAMES))), rng.chisquare(DEGREES, options.draws)
    steps = normal / np.sqrt(chi / DEGREES)[:, None]
    drawn = scaled.mean(axis=0) + steps @ factor.T
    numbers = MEAN + DEVIATION * drawn
    values = predicted(options, numbers)
    log_density = -0.5 * (DEGREES + len(NAMES)) * np.log1p((steps ** 2).sum(axis=1) / DEGREES)
    log_weights = -0.5 * (drawn ** 2).sum(axis=1) - 0.5 * (((values - observed) / errors) ** 2).sum(axis=1) - log_density
    weights = np.exp(log_weights - log_weights.max())
    return numbers, values, weights / weights.sum()


def moments(numbers, weights=None):
    mean = np.average(numbers, axis=0, weights=weights)
    if weights is None:
        return mean, numbers.std(axis=0, ddof=1)
    return mean, np.sqrt(np.average((numbers - mean) ** 2, axis=0, weights=weights))


def print_tables(columns, misfits, repeated, times):
    """Moments of each unknown, in the repetitions with the deviation between them; misfits; times over those of the predictions alone."""
    print(f"| | truth | {' | '.join(columns)} | invert, other realizations |\n|---|---:|{'---:|' * (len(columns) + 1)}")
    of_all, between = repeated.mean(axis=0), repeated.std(axis=0, ddof=1)
    for title, which in (("mean", 0), ("deviation", 1)):
        for i, name in enumerate(NAMES):
            cells = " | ".join(f"{column[which][i]:.4f}" for column in columns.values())
            print(f"| {name}, {title} | {'' if which else f'{TRUTH[i]:.4f}'} | {cells} | {of_all[which, i]:.4f} +- {between[which, i]:.4f} |")
    for title, which in (("members", 0), ("mean", 1)):
        print(f"| misfit per observation, {title} | | {' | '.join(f'{misfits[name][which]:.2f}' for name in columns)} | |")
    for name, (wall, processor) in times.items():
        wall_alone, alone = times["predict"]
        print(f"{name}: {wall:.1f} s, {processor:.1f} s of processor time, {wall / wall_alone:.2f} and {processor / alone:.2f} of the predictions alone")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumecast")
    parser.add_argument("model")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ert", default=shutil.which("ert"))
    parser.add_argument("--members", type=int, default=100)
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--draws", type=int, default=3000)
    options = parser.parse_args()
    if options.ert is None:
        sys.exit("ert is not on the PATH (it is one side of the comparison); pip install ert h5py, or name it with --ert")
    options.folder = options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    options.plumecast, options.model, options.ert = (os.path.abspath(path) for path in (options.plumecast, options.model, options.ert))
    options.cases = options.folder / "cases.json"
    config = json.loads(invert_twins.output(options.plumecast, "generate", "--default"))
    config["inputs"] |= {"injection_rate": [1, 1], "initial_pressure": [180, 180], "temperature": [60, 60], "thickness": [100, 100], "least_perforation": 100.0}
    config["media"] = {name: float(name == "homogeneous") for name in config["media"]}
    config["checks"]["estimated_buildup"] = 1e9
    options.cases.write_text(json.dumps(config))
    called = choose_places(options)
    truth = predicted(options, TRUTH[None])[0]
    errors = np.where([place[0] == "gas_saturation" for place in options.places], 0.02, np.maximum(0.5, 0.05 * truth))
    observed = truth + errors * np.random.default_rng(1).standard_normal(len(truth))
    write_observations(options, called, observed, errors)

    write_ert(options)
    times = {"ert": run_ert(options)}
    prior, prior_values = ert_ensemble(options, 0)
    by_ert, ert_values = ert_ensemble(options, options.steps)
    others = MEAN + DEVIATION * np.random.default_rng(2).standard_normal((options.repeats, *prior.shape))
    found = [invert(options, realizations, seed) for seed, realizations in enumerate([prior, *others])]
    times["invert"] = np.median([one[3] for one in found], axis=0)
    predicting = [options.plumecast, "predict", options.model, options.folder / "prior.h5", "-o", options.folder / "prior_fields.h5", "--force"]
    times["predict"] = measured(predicting) * (options.steps + 1)
    drawn, values, weights = importance_sample(options, found[0][0], observed, errors)

    def misfit(some):
        return (((some - observed) / errors) ** 2).mean(axis=-1)

    columns = {"prior": moments(prior), "ERT": moments(by_ert), "invert": moments(found[0][0]), "posterior itself": moments(drawn, weights)}
    misfits = {name: (misfit(some).mean(), misfit(some.mean(axis=0))) for name, some in (("prior", prior_values), ("ERT", ert_values))}
    misfits |= {"invert": (found[0][2], misfit(found[0][1])),
                "posterior itself": (weights @ misfit(values), misfit(weights @ values))}
    print_tables(columns, misfits, np.array([moments(one[0]) for one in found[1:]]), times)
    print(f"{options.members} members, {(options.steps + 1) * options.members} runs each; "
          f"effective size of the importance sample {1 / (weights ** 2).sum():.0f} of {options.draws}")


if __name__ == "__main__":
    main()
