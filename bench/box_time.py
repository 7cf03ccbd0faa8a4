#!/usr/bin/env python3
"""Time, memory and balance of the physics of a box with two wells (docs/benchmarks/three_dimensions.md).

Usage: box_time.py PLUMECAST BENCH_BOX_PHYSICS [--cells 10000|100000|1000000] [--years 30|130] [--substeps N ...] [--repeats N]
                                               needs h5py and numpy

The box is the same at each size, cut finer: 9.6 x 9.6 km, 100 m high, 1 Mt/year for 30 years at 27 times; with --years 130 ten times in a
century follow, without injection. A row for each number of substeps: processor time of one thread, which is nearly the
same on a busy machine, of the physics alone (bench_box_physics, the preset bench builds it) and of the command `estimate`, which computes
the case a second time with half as many steps for its verdict; the most memory that the command held; by how much CO2 in place departs
from CO2 injected after the worst of all steps. Exit status 1 where a target is missed.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

SHAPES = {10000: (10, 32, 32), 100000: (10, 100, 100), 1000000: (25, 200, 200)}
TARGETS = {(10000, 30): 0.5, (10000, 130): 1.0, (100000, 30): 10.0, (1000000, 30): 170.0}  # [s], with two steps
MOST_MEMORY, MOST_LOST = 4096, 1e-6  # [MiB], per CO2 injected
YEAR = 365.25


def times_of(years):
    injecting = np.cumsum(91 * 1.1 ** np.arange(27))
    return injecting if years == 30 else np.append(injecting, injecting[-1] + 10 * YEAR * np.arange(1, 11))


def write_case(path, shape=SHAPES[10000], years=30):
    """Correlated rock of 100 mD, two wells of 0.5 Mt/year each over the lower half."""
    rows, lines, columns = shape
    drawn = np.random.default_rng(1).standard_normal((1, *shape))
    waves = (np.fft.fftfreq(lines)[:, None] * lines / 32) ** 2 + (np.fft.rfftfreq(columns)[None] * columns / 32) ** 2
    rock = np.fft.irfftn(np.fft.rfftn(drawn, axes=(2, 3)) * np.exp(-40 * waves), s=shape[1:], axes=(2, 3))
    rock /= rock.std()
    open_cells = np.zeros(drawn.shape)
    for line, column in ((10, 12), (21, 20)):
        open_cells[:, rows // 2:, line * lines // 32, column * columns // 32] = 1
    arrays = {
        "grid/x_edges": ("m", np.linspace(0, 9600, columns + 1)), "grid/y_edges": ("m", np.linspace(0, 9600, lines + 1)),
        "grid/z_edges": ("m", np.linspace(0, 100, rows + 1)), "grid/times": ("day", times_of(years)),
        "inputs/permeability_x": ("mD", 100 * np.exp(0.8 * rock)), "inputs/permeability_y": ("mD", 100 * np.exp(0.8 * rock)),
        "inputs/permeability_z": ("mD", 10 * np.exp(0.8 * rock)), "inputs/porosity": ("1", np.clip(0.2 + 0.03 * rock, 0.05, 0.35)),
        "inputs/perforation": ("1", open_cells), "inputs/cell_injection_rate": ("Mt/year", 0.5 * open_cells / (rows - rows // 2)),
        "inputs/active": ("1", np.ones(drawn.shape)), "inputs/injection_rate": ("Mt/year", [1.0]),
        "inputs/initial_pressure": ("bar", [150.0]), "inputs/temperature": ("degC", [55.0]), "inputs/thickness": ("m", [100.0]),
        "inputs/irreducible_water_saturation": ("1", [0.2]), "inputs/van_genuchten_lambda": ("1", [0.5])}
    if years > 30:
        arrays["schedule/end"] = ("day", times_of(30)[-1:])
        arrays["schedule/rate"] = ("Mt/year", np.full((1, 2, 1), 0.5))
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": "plumecast-dataset", "format_version": 2, "aquifer_factor": "1000"})
        for name, (unit, values) in arrays.items():
            array = file.create_dataset(name, data=np.asarray(values, "f4" if name.startswith("inputs") else "f8"))
            array.attrs["units"], array.attrs["long_name"] = unit, name.split("/")[1]


def estimate(plumecast, folder, substeps):
    """Processor time [s] and the most memory [MiB] of `estimate`."""
    process = subprocess.Popen([plumecast, "estimate", folder / "case.h5", "-o", folder / "fields.h5", "--force", "--threads", "1",
                                "--substeps", str(substeps)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    message = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(message.decode())
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def physics(program, folder, substeps):
    command = [program, folder / "case.h5", "--substeps", str(substeps)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plumecast")
    parser.add_argument("bench_box_physics")
    parser.add_argument("--cells", type=int, choices=sorted(SHAPES), default=10000)
    parser.add_argument("--years", type=int, choices=(30, 130), default=30)
    parser.add_argument("--substeps", type=int, nargs="+", default=[2])
    parser.add_argument("--repeats", type=int, default=3, help="of which the quickest counts")
    options = parser.parse_args()
    target = TARGETS.get((options.cells, options.years))
    is_missed = False
    print("| cells | years | steps between times | physics [s] | target [s] | estimate [s] | memory [MiB] | CO2 off | time steps | iterations |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_case(folder / "case.h5", SHAPES[options.cells], options.years)
        for substeps in options.substeps:
            runs = [physics(options.bench_box_physics, folder, substeps) for _ in range(options.repeats)]
            seconds = min(run["model_seconds"] + run["run_seconds"] for run in runs)
            commands = [estimate(options.plumecast, folder, substeps) for _ in range(options.repeats)]
            memory, lost = max(used for _, used in commands), runs[0]["mass_error"]
            wanted = target if substeps == 2 else None
            is_missed |= (wanted is not None and seconds > wanted) or memory > MOST_MEMORY or lost > MOST_LOST
            print(f"| {runs[0]['cells']} | {options.years} | {substeps} | {seconds:.2f} | {wanted or ''} | "
                  f"{min(time for time, _ in commands):.2f} | {memory:.0f} | {lost:.1e} | {runs[0]['steps']} | {runs[0]['pressure_iterations']} |",
                  flush=True)
    sys.exit(1 if is_missed else 0)


if __name__ == "__main__":
    main()
