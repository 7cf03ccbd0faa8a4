#!/usr/bin/env python3
"""Physics with and without hysteresis against the simulator: `plumecast estimate` of a data set that `plumecast generate --keep-decks` made with
`inputs.residual_gas_saturation` and a stop of the injection.

Usage: hysteresis_shares.py PLUMECAST DATA.h5 DECKS [STEPS=2,4]

Prints the tables of docs/benchmarks/accuracy.md: errors of fields by `plumecast evaluate`, and of each case the shares of the CO2 injected that are
mobile, trapped and dissolved at the last time, of the simulator (FGMMO, FGMGP, FGMDS of its summary) and of the physics (`plumecast report`). Last stands
what the CO2 in place of the simulator is off by, per CO2 injected (FGIT): at the end, and at worst after the first year.
"""
import csv
import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py

SURFACE_DENSITY = 1.86842  # of CO2 [kg/sm3]
TYPES = {b"INTE": ("i", 4), b"REAL": ("f", 4), b"DOUB": ("d", 8), b"LOGI": ("i", 4), b"CHAR": ("s", 8)}


def records(path):
    """Keywords and values of an unformatted file of the simulator."""
    data, at = path.read_bytes(), 0
    while at < len(data):
        keyword, count, kind = data[at + 4:at + 12].decode().strip(), *struct.unpack(">i4s", data[at + 12:at + 20])
        at += 24
        letter, width = TYPES.get(kind, ("s", 0))
        raw = b""
        while len(raw) < count * width:
            size = struct.unpack(">i", data[at:at + 4])[0]
            raw += data[at + 4:at + 4 + size]
            at += size + 8
        if letter == "s":
            yield keyword, [raw[i:i + width].decode().strip() for i in range(0, len(raw), max(width, 1))]
        else:
            yield keyword, struct.unpack(f">{count}{letter}", raw)


def summary(folder, names):
    """Series of a run's summary."""
    known = next(values for keyword, values in records(folder / "CASE.SMSPEC") if keyword == "KEYWORDS")
    rows = [values for keyword, values in records(folder / "CASE.UNSMRY") if keyword == "PARAMS"]
    return [[row[known.index(name)] for row in rows] for name in names]


def simulated_shares(folder):
    """Mobile, trapped and dissolved CO2 of a run per CO2 in place, at its end."""
    gas, mobile, dissolved = (series[-1] for series in summary(folder, ("FGMGP", "FGMMO", "FGMDS")))
    return [part / (gas + dissolved) for part in (mobile, gas - mobile, dissolved)]


def mass_errors(folder):
    """CO2 in place per CO2 injected less 1, at the end of a run and at worst after its first year."""
    times, gas, dissolved, injected = summary(folder, ("TIME", "FGMGP", "FGMDS", "FGIT"))
    errors = [(free + held) / (SURFACE_DENSITY * volume) - 1.0
              for time, free, held, volume in zip(times, gas, dissolved, injected) if time > 365.25]
    return errors[-1], max(errors, key=abs)


def run(*arguments):
    return subprocess.run([str(argument) for argument in arguments], check=True, capture_output=True, text=True).stdout


def without_hysteresis(source, path):
    with h5py.File(source) as given, h5py.File(path, "w") as made:
        for name in given:
            given.copy(name, made)
        made.attrs.update(given.attrs)
        del made["inputs/residual_gas_saturation"]


def shares(fields, plumecast, folder):
    """Of each case, per CO2 injected at the last time."""
    run(plumecast, "report", fields, "-o", folder, "--force")
    found = {}
    with open(folder / "ledger.csv", newline="", encoding="utf-8") as table:
        for row in csv.DictReader(table):
            injected = float(row["mass_injected [Mt]"])
            found[int(row["case"])] = [float(row[f"mass_{name} [Mt]"]) / injected for name in ("mobile", "trapped", "dissolved")]
    return found


def errors(evaluated):
    """MPE of saturation, MRE of build-up and dissolved CO2: mean over the cases."""
    fields = json.loads(evaluated)["fields"]
    return " | ".join(f"{field['mean'].get('mpe', field['mean'].get('mre')):.4f}" for field in fields)


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    plumecast, data, decks = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    steps = sys.argv[4].split(",") if len(sys.argv) == 5 else ["2", "4"]
    with h5py.File(data) as file:
        numbers, residuals = file["case/number"][()], file["inputs/residual_gas_saturation"][()]
    truth = [simulated_shares(decks / f"case_{number:08d}") for number in numbers]
    print("| hysteresis | steps | MPE of saturation | MRE of build-up | MRE of dissolved CO2 |")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        without_hysteresis(data, folder / "without.h5")
        found = {}
        for name, cases in (("with", data), ("without", folder / "without.h5")):
            for count in steps:
                fields = folder / f"{name}_{count}.h5"
                run(plumecast, "estimate", cases, "-o", fields, "--substeps", count)
                found[name, count] = shares(fields, plumecast, folder / f"report_{name}_{count}")
                print(f"| {name} | {count} | {errors(run(plumecast, 'evaluate', fields, cases, '--json'))} |", flush=True)
    print("| case | S_r | simulator | " + " | ".join(f"{name}, {count} steps" for name, count in found) + " |")
    for at, number in enumerate(numbers):
        cells = [truth[at], *(of[at] for of in found.values())]
        print(f"| {number} | {residuals[at]:.2f} | " + " | ".join(", ".join(f"{share:.3f}" for share in cell) for cell in cells) + " |")
    for number in numbers:
        print("case {}: CO2 in place off by {:.1e} at the end, {:.1e} at worst after a year".format(number, *mass_errors(decks / f"case_{number:08d}")))


if __name__ == "__main__":
    main()
