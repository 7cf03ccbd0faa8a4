#!/usr/bin/env python3
"""What time steps are worth with schedules of injection: `plumecast estimate` of a radial data set whose injection stops, ramps up with a
pause, or is on and off, to a century after it, with few steps and with many.

Usage: schedule_steps.py PLUMECAST DATA.h5 [CASES=8]     prints the table of docs/physics.md, for the first cases of the file
"""
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy

YEAR = 365.25
STEPS, MANY = (1, 2, 4), 12
RAMP = numpy.array([0.25, 0.5, 0.75, 0.0, 1.0, 1.0])  # of the rate, in six periods of five years
SCHEDULES = {"stop": [1.0], "ramp": RAMP, "often": numpy.arange(60) % 2 == 0}
LATER = numpy.array([30.5, 32, 35, 40, 50, 70, 100, 130]) * YEAR


def write_scheduled(source, path, factors, cases):
    """The first cases of a data set with rates of 30 years in equal periods, to 130 years."""
    with h5py.File(source) as given, h5py.File(path, "w") as made:
        for name, value in given.attrs.items():
            made.attrs[name] = value
        made.attrs["format_version"] = 2
        for group in ("grid", "inputs"):
            for name, array in given[group].items():
                values = array[()][:cases] if group == "inputs" else array[()]
                if (group, name) == ("inputs", "injection_rate"):
                    continue
                if (group, name) == ("grid", "times"):
                    values = numpy.concatenate([values[values < 30 * YEAR * 0.999], [30 * YEAR], LATER])
                made[f"{group}/{name}"] = values
                made[f"{group}/{name}"].attrs.update(array.attrs)
        rates = given["inputs/injection_rate"][:cases]
    with h5py.File(path, "a") as made:
        ends = numpy.linspace(0, 30 * YEAR, len(factors) + 1)[1:]
        for name, values, unit in (("end", ends, "day"), ("rate", numpy.multiply.outer(rates, factors)[:, None], "Mt/year")):
            made[f"schedule/{name}"] = values
            made[f"schedule/{name}"].attrs["units"] = unit


def estimated(plumecast, data, steps, folder):
    """Times, active cells, saturation and build-up."""
    fields = folder / f"fields_{steps}.h5"
    subprocess.run([plumecast, "estimate", data, "-o", fields, "--substeps", str(steps), "--force"], check=True, capture_output=True)
    with h5py.File(fields) as file:
        return file["grid/times"][()], file["inputs/active"][()] > 0, file["outputs/gas_saturation"][()], file["outputs/pressure_buildup"][()]


def differences(few, many):
    """Of saturation and build-up after 30, 40 and 130 years, in the mean over the cases."""
    times, active, gas, pressure = few
    found = []
    for year in (30, 40, 130):
        at = int(numpy.argmin(numpy.abs(times - year * YEAR)))
        of_cases = []
        for case, cells in enumerate(active):
            one, other = gas[case, at], many[2][case, at]
            plume = cells & ((one > 0.01) | (other > 0.01))
            p, q = pressure[case, at][cells], many[3][case, at][cells]
            of_cases.append((numpy.abs(one - other)[plume].mean(), numpy.abs(p - q).mean() / q.max()))
        found.append(numpy.mean(of_cases, axis=0))
    return numpy.array(found).T


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    plumecast, source = sys.argv[1:3]
    cases = int(sys.argv[3]) if len(sys.argv) == 4 else 8
    print("| schedule | steps between times | saturation after 30, 40, 130 years | build-up after 30, 40, 130 years |")
    for name, factors in SCHEDULES.items():
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            write_scheduled(source, folder / "cases.h5", factors, cases)
            many = estimated(plumecast, folder / "cases.h5", MANY, folder)
            for steps in STEPS:
                gas, pressure = differences(estimated(plumecast, folder / "cases.h5", steps, folder), many)
                shown = (", ".join(f"{value:.4f}" for value in values) for values in (gas, pressure))
                print(f"| {name} | {steps} | {' | '.join(shown)} |", flush=True)


if __name__ == "__main__":
    main()
