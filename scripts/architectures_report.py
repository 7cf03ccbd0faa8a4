#!/usr/bin/env python3
"""Tables the runs of scripts/compare_architectures.sh; prints `NAME FILE.csv` for every learning curve to draw.

Usage: architectures_report.py --runs FOLDER --seconds N --output PAGE.md
  FOLDER holds NETWORK/metrics.csv, NETWORK.log and, for PyTorch, ufno_pytorch/score.json
"""
import argparse
import csv
import json
import re
from pathlib import Path

NETWORKS = {"fno": "FNO", "conv_fno": "Conv-FNO", "ufno": "U-FNO", "cnn": "CNN", "ufno_pytorch": "U-FNO-in-PyTorch"}
METRICS = ("mpe", "mre", "relative_l2", "r2")


def read_metrics(path):
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return [row for row in csv.DictReader(file) if row["validation_loss"]]


def write_curve(rows, path):
    """Validation loss over the seconds since the start; one line per epoch."""
    elapsed, seen = 0.0, set()
    with open(path, "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("seconds", "validation_loss"))
        for row in rows:
            if row["epoch"] not in seen:
                seen.add(row["epoch"])
                elapsed += float(row["seconds"])
                table.writerow((f"{elapsed:.3f}", row["validation_loss"]))


def best_row(rows, folder):
    """Errors at the epoch of the lowest validation loss; PyTorch's weights were scored apart."""
    best = min(rows, key=lambda row: float(row["validation_loss"]))
    score = folder / "score.json"
    if not score.exists():
        return best
    scores = json.loads(score.read_text())
    return {**best, **next(value for value in scores.values() if isinstance(value, dict))}


def table_row(name, folder, parameters):
    rows = read_metrics(folder / "metrics.csv")
    if not rows:
        return f"| {name} | {parameters} | 0 | no epoch was finished in time | | | | |"
    best = best_row(rows, folder)
    epochs = len({row["epoch"] for row in rows})
    mean = sum(float(seconds) for _, seconds in {(row["epoch"], row["seconds"]) for row in rows}) / epochs
    numbers = " | ".join(f"{float(best[key]):.4f}" if best.get(key) not in (None, "") else "" for key in METRICS)
    return f"| {name} | {parameters} | {epochs} ({mean:.1f} s) | {float(best['validation_loss']):.4f} | {numbers} |"


def parameters_of(log):
    found = re.search(r"(\d+) parameters", log.read_text()) if log.exists() else None
    return f"{int(found.group(1)):,}" if found else ""


def settings_of(runs):
    """What the runs have in common, from the recipe of the U-FNO."""
    path = runs / "ufno" / "recipe.json"
    if not path.exists():
        return ""
    recipe = json.loads(path.read_text())
    network, schedule = recipe["network"], recipe["schedule"]
    modes = " x ".join(map(str, network["modes"]))
    return (f"Width {network['width']}, modes {modes} (the CNN has its own widths), batch size {recipe['batch_size']}, "
            f"learning rate {schedule['learning_rate']:g} ({schedule['kind']}), seed {recipe['seed']}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    lines = []
    for key, name in NETWORKS.items():
        folder = arguments.runs / key
        if not folder.exists():
            continue
        log = arguments.runs / f"{key.removesuffix('_pytorch')}.log"
        lines.append(table_row(name.replace("-in-", " in "), folder, parameters_of(log)))
        rows = read_metrics(folder / "metrics.csv")
        if rows:
            write_curve(rows, folder / "curve.csv")
            print(name, folder / "curve.csv")
    header = "| network | parameters | epochs (each) | validation loss | " + " | ".join(METRICS) + " |\n|---|---:|---:|---:|"
    arguments.output.write_text(
        "# The four architectures on the same budget\n\n"
        f"Every network was trained for {arguments.seconds:g} s, validation included, on the same cases with the same recipe; "
        "the row is the epoch of the lowest\nvalidation loss. Errors are means over the validation cases; formulas stand in "
        f"`include/plumecast/metrics/errors.hpp`.\n{settings_of(arguments.runs)}\n\n"
        + header + "---:|" * len(METRICS) + "\n" + "\n".join(lines)
        + "\n\n![Validation loss over the seconds of training](architectures.png)\n\n"
        "Made by `scripts/compare_architectures.sh TRAIN.h5 VALIDATION.h5 SECONDS`.\n"
    )


if __name__ == "__main__":
    main()
