#!/usr/bin/env python3
"""Compares two tables of step, loss, seconds: the largest and the median relative deviation of the loss.

Usage: compare_losses.py OURS.csv REFERENCE.csv
"""
import argparse
import csv
import statistics
from pathlib import Path


def losses(path):
    with open(path, newline="") as file:
        return {int(row["step"]): (float(row["loss"]), float(row["seconds"])) for row in csv.DictReader(file)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ours", type=Path)
    parser.add_argument("reference", type=Path)
    arguments = parser.parse_args()
    ours, reference = losses(arguments.ours), losses(arguments.reference)
    if not ours or ours.keys() != reference.keys():
        raise SystemExit(f"error: {len(ours)} and {len(reference)} steps (they must be the same ones); train again")
    deviation = {step: abs(ours[step][0] - loss) / abs(loss) for step, (loss, _) in reference.items()}
    worst, last = max(deviation, key=deviation.get), max(deviation)
    print(f"{len(deviation)} steps: largest relative deviation {deviation[worst]:.2e} (step {worst}), "
          f"median {statistics.median(deviation.values()):.2e}, first step {deviation[min(deviation)]:.2e}")
    print(f"loss after {last} steps: {ours[last][0]:.6f} and {reference[last][0]:.6f}; "
          f"seconds: {ours[last][1]:.1f} and {reference[last][1]:.1f}")


if __name__ == "__main__":
    main()
