#!/usr/bin/env python3
"""How `plumecast invert` depends on its settings: twins by the reduced physics, whose truths are computed with finer time steps
(docs/benchmarks/inversion.md).

Usage: invert_settings.py PLUMECAST FOLDER [--truths N] [--members N] [--localization L ...] [--steps S ...] [--evaluations N ...] [--grid ROWS COLUMNS]
                                                                                                            needs h5py and numpy

Truths and priors are drawn by `generate --inputs-only` on a grid of 16 x 40 cells (or of --grid) with the ranges of its defaults; a prior has the scalars of
its truth. The truth is `estimate --substeps 8`, the members are computed with the two substeps that invert takes: so the model errs a little,
by time steps alone. Observed is what invert_twins.py observes, with its noise. Each truth is inverted with each localization and number of
steps, without the model's error; with --evaluations by rml instead, once with each number of evaluations at most. Prints a row for each
setting, with its processor time over that of the first, and writes FOLDER/settings.csv.
"""

import argparse
import csv
import json
import os
import sys
from pathlib import Path

import numpy as np

import invert_twins


def draw_truths(options):
    config = json.loads(invert_twins.output(options.plumecast, "generate", "--default"))
    config["grid"] |= {"rows": options.grid[0], "columns": options.grid[1]}
    config["times"] |= {"count": 16, "growth": 1.7575}
    options.cases = str(options.folder / "cases.json")
    Path(options.cases).write_text(json.dumps(config))
    truths = options.folder / "truths.h5"
    invert_twins.run(options.plumecast, "generate", options.cases, "-o", truths, "--inputs-only", "--cases", options.truths, "--seed", 4242, "--force")
    return truths


def settings_of(options):
    """Entries of the configuration that are compared."""
    if options.evaluations:
        return [{"method": "rml", "iterations": evaluations} for evaluations in options.evaluations]
    return [{"steps": steps, "localization": localization} for steps in options.steps for localization in options.localization]


def invert(options, folder, setting):
    """Figures of the posterior, record and processor time [s]."""
    name = "_".join(f"{entry}_{value}" for entry, value in setting.items())
    config = {"model": "estimate", "case": "truth.h5", "prior": "prior.h5", "unknown": invert_twins.UNKNOWN, "observations": "observations.csv",
              "output": name, **setting}
    (folder / f"{name}.json").write_text(json.dumps(config))
    seconds = invert_twins.run(options.plumecast, "invert", folder / f"{name}.json", "--force")
    fields = folder / f"{name}_fields.h5"
    invert_twins.run(options.plumecast, "estimate", folder / name / "posterior.h5", "-o", fields, "--force")
    record = json.loads((folder / name / "inversion.json").read_text())
    return invert_twins.figures(fields), record, seconds


def print_table(settings, rows):
    print(f"{'  '.join(settings[0])}  misfit of the mean, median and largest  of the members, median  spread  build-up, saturation over the prior's  "
          "holds radius, build-up  time over the first")
    first = sum(row["seconds"] for row in rows if settings[0].items() <= row.items())
    for setting in settings:
        some = [row for row in rows if setting.items() <= row.items()]
        median = {name: np.median([row[name] for row in some]) for name in ("misfit", "members_misfit", "spread", "buildup", "saturation")}
        print(f"{'  '.join(str(value) for value in setting.values())}  {median['misfit']:.2f} {max(row['misfit'] for row in some):.2f}  "
              f"{median['members_misfit']:.2f}  {median['spread']:.3f}  {median['buildup']:.3f} {median['saturation']:.3f}  "
              f"{sum(row['radius'] for row in some)} {sum(row['largest'] for row in some)} of {len(some)}  "
              f"{sum(row['seconds'] for row in some) / first:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumecast")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--truths", type=int, default=4)
    parser.add_argument("--members", type=int, default=200)
    parser.add_argument("--localization", type=float, nargs="+", default=[0, 1, 2, 3])
    parser.add_argument("--steps", type=int, nargs="+", default=[4, 8])
    parser.add_argument("--evaluations", type=int, nargs="+", default=[])
    parser.add_argument("--grid", type=int, nargs=2, default=[16, 40])
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    options.plumecast = os.path.abspath(options.plumecast)
    truths = draw_truths(options)
    rows = []
    for number in range(options.truths):
        folder = options.folder / f"truth_{number}"
        folder.mkdir(exist_ok=True)
        invert_twins.run(options.plumecast, "subset", truths, "-o", folder / "inputs.h5", "--cases", number, "--force")
        invert_twins.run(options.plumecast, "estimate", folder / "inputs.h5", "-o", folder / "truth.h5", "--substeps", 8, "--force")
        invert_twins.draw_prior(options, folder / "truth.h5", folder, number)
        invert_twins.observe(folder / "truth.h5", folder / "observations.csv", number)
        invert_twins.run(options.plumecast, "estimate", folder / "prior.h5", "-o", folder / "prior_fields.h5", "--force")
        truth, prior = invert_twins.figures(folder / "truth.h5"), invert_twins.figures(folder / "prior_fields.h5")
        for setting in settings_of(options):
            posterior, record, seconds = invert(options, folder, setting)
            last = record["steps"][-1]
            rows.append({"truth": number, **setting, **invert_twins.compared(truth, prior, posterior, record), "members_misfit": last["members_misfit"],
                         "spread": last["spread"], "clipped": last["clipped"], "seconds": seconds})
            print(*record["warnings"], sep="\n", file=sys.stderr)
            print({k: round(v, 3) if isinstance(v, float) else v for k, v in rows[-1].items()}, file=sys.stderr, flush=True)
            with open(options.folder / "settings.csv", "w", newline="") as file:
                table = csv.DictWriter(file, rows[0].keys())
                table.writeheader()
                table.writerows(rows)
    print_table(settings_of(options), rows)


if __name__ == "__main__":
    main()
