#!/usr/bin/env python3
"""Times two builds of plumecast on two ranks of one thread each in turn: what a change costs or gains where ranks share the work.

Usage: paired_ranks.py OLD/apps/plumecast NEW/apps/plumecast DATA.h5 [--rounds 3] [--only TEXT]

A training row is the median time of an epoch but the first (metrics.csv), a prediction row that of a whole program, from
its start to the result file. DATA.h5 has the cases of both; networks have their default sizes with `--width` channels.
Each round runs both builds, the old one first in every second round. Prints a row of Markdown per setting: medians, the
ratio of the medians (above 1 the new one is faster), the least and the greatest ratio of a round, the ratio of the shortest times, which
others on the same host disturb least.
"""
import argparse
import csv
import json
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

EPOCHS = 4
MPIRUN = ("mpirun", "--allow-run-as-root", "--oversubscribe", "-np", "2")


def run(*command):
    subprocess.run(command, check=True, capture_output=True, text=True)


def recipe(program, architecture, options, folder):
    """A configuration of the old build, which both can read."""
    path = folder / f"{architecture}.json"
    found = json.loads(subprocess.run([program, "config", "--default", architecture], check=True, capture_output=True, text=True).stdout)
    found["network"]["width"] = options.width
    found["data"]["train"] = found["data"]["validation"] = str(Path(options.data).resolve())
    found["batch_size"], found["epochs"] = 4, EPOCHS
    path.write_text(json.dumps(found))
    return path


def trained(program, path, grid, folder):
    """Median and least seconds of an epoch; the model is left in folder/best."""
    shutil.rmtree(folder, ignore_errors=True)
    run(*MPIRUN, program, "train", str(path), "--grid", grid, "--threads", "1", "--output", str(folder))
    with open(folder / "metrics.csv", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    epochs = {row["epoch"]: float(row["seconds"]) for row in rows}
    later = list(epochs.values())[1:]
    return statistics.median(later), min(later)


def predicted(program, model, grid, options, folder):
    start = time.monotonic()
    run(*MPIRUN, program, "predict", str(model), options.data, "-o", str(folder / "out.h5"), "--force", "--grid", grid, "--threads", "1")
    seconds = time.monotonic() - start
    return seconds, seconds


def row(name, times):
    old, new = (statistics.median(median for median, _ in values) for values in times)
    ratios = [a / b for (a, _), (b, _) in zip(*times)]
    shortest = [min(least for _, least in values) for values in times]
    return (f"| {name} | {1e3 * old:.0f} ms | {1e3 * new:.0f} ms | {old / new:.3f} | {min(ratios):.3f} .. {max(ratios):.3f} "
            f"| {shortest[0] / shortest[1]:.3f} |")


def measure(options, folder, architecture, grid):
    programs = (options.old, options.new)
    path = recipe(options.old, architecture, options, folder)
    training, prediction = ([], []), ([], [])
    for number in range(options.rounds):
        for which in (0, 1) if number % 2 == 0 else (1, 0):
            training[which].append(trained(programs[which], path, grid, folder / f"run{which}"))
    for number in range(options.rounds):
        for which in (0, 1) if number % 2 == 0 else (1, 0):
            prediction[which].append(predicted(programs[which], folder / "run0/best", grid, options, folder))
    print(row(f"{architecture}, {grid}, training", training), flush=True)
    print(row(f"{architecture}, {grid}, prediction", prediction), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("data")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--width", type=int, default=24)
    parser.add_argument("--only", default="", help="settings whose name, as `ufno, 2x1`, has this text")
    options = parser.parse_args()
    print("| setting | old | new | ratio | of a round | of the shortest |\n|---|---:|---:|---:|---:|---:|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for architecture in ("ufno", "fno", "conv_fno", "cnn"):
            for grid in ("2x1", "1x2"):
                if options.only in f"{architecture}, {grid}":
                    measure(options, Path(folder), architecture, grid)


if __name__ == "__main__":
    main()
