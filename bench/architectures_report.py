#!/usr/bin/env python3
"""Tables the runs of bench/compare_architectures.sh; prints `NAME FILE.csv` for every learning curve to draw.

Usage: architectures_report.py --runs FOLDER --seconds N --output PAGE.md [--threads N] [--command TEXT]
  FOLDER holds NETWORK/metrics.csv, NETWORK.log and, for PyTorch, ufno_pytorch/score.json
"""
import argparse
import csv
import json
import re
from pathlib import Path

from report import commit, machine

NETWORKS = {"fno": "FNO", "conv_fno": "Conv-FNO", "ufno": "U-FNO", "cnn": "CNN", "ufno_pytorch": "U-FNO-in-PyTorch"}
METRICS = {"gas_saturation": ("mpe", "relative_l2", "r2", "r2_plume"), "pressure_buildup": ("mre", "relative_l2", "r2")}


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


def table_row(name, folder, parameters, metrics):
    rows = read_metrics(folder / "metrics.csv")
    if not rows:
        return f"| {name} | {parameters} | 0 | no epoch was finished in time |" + " |" * len(metrics)
    best = best_row(rows, folder)
    epochs = len({row["epoch"] for row in rows})
    mean = sum(float(seconds) for _, seconds in {(row["epoch"], row["seconds"]) for row in rows}) / epochs
    numbers = " | ".join(f"{float(best[key]):.4f}" if best.get(key) not in (None, "") else "" for key in metrics)
    return f"| {name} | {parameters} | {epochs} ({mean:.1f} s) | {float(best['validation_loss']):.4f} | {numbers} |"


def parameters_of(log):
    found = re.search(r"(\d+) parameters", log.read_text()) if log.exists() else None
    return f"{int(found.group(1)):,}" if found else ""


def recipe_of(runs):
    """What the runs have in common: the recipe of the U-FNO."""
    return json.loads((runs / "ufno" / "recipe.json").read_text())


def settings_of(recipe):
    network, schedule = recipe["network"], recipe["schedule"]
    modes = " x ".join(map(str, network["modes"]))
    cases = recipe["data"].get("train_cases", 0)
    return (f"{f'The first {cases}' if cases else 'All'} training cases, width {network['width']}, modes {modes} (the CNN has its "
            f"published widths), batch size {recipe['batch_size']},\n"
            f"learning rate {schedule['learning_rate']:g} ({schedule['kind']}), seed {recipe['seed']}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--command", default="bench/compare_architectures.sh TRAIN.h5 VALIDATION.h5 SECONDS")
    arguments = parser.parse_args()
    recipe, lines = recipe_of(arguments.runs), []
    field = recipe["fields"][0]["name"]
    metrics = METRICS[field]
    for key, name in NETWORKS.items():
        folder = arguments.runs / key
        if not folder.exists():
            continue
        log = arguments.runs / f"{key.removesuffix('_pytorch')}.log"
        lines.append(table_row(name.replace("-in-", " in "), folder, parameters_of(log), metrics))
        rows = read_metrics(folder / "metrics.csv")
        if rows:
            write_curve(rows, folder / "curve.csv")
            print(name, folder / "curve.csv")
    header = "| network | parameters | epochs (each) | validation loss | " + " | ".join(metrics) + " |\n|---|---:|---:|---:|"
    threads = f", {arguments.threads} thread{'s' if arguments.threads > 1 else ''}" if arguments.threads else ""
    arguments.output.write_text(
        "# The four architectures on the same budget\n\n"
        f"Machine: {machine()}{threads}.  \nEngine: commit {commit()}.  \nCommand: `{arguments.command}`\n\n"
        f"A network of {field.replace('_', ' ')} of every kind was trained for {arguments.seconds:g} s, validation included, on the "
        "same cases with the same recipe;\nthe row is the epoch of the lowest validation loss. Errors are means over the validation "
        f"cases; formulas stand in\n`include/plumecast/reservoir/metrics/errors.hpp`. {settings_of(recipe)}\n\n"
        + header + "---:|" * len(metrics) + "\n" + "\n".join(lines)
        + "\n\n![Validation loss over the seconds of training](architectures.png)\n"
    )


if __name__ == "__main__":
    main()
