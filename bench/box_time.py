#!/usr/bin/env python3
"""Time of `estimate` for a box of 10,240 cells with two wells at 27 times over 30 years (docs/benchmarks/three_dimensions.md).

Usage: box_time.py PLUMECAST      needs h5py and numpy

Prints the processor time of one thread for one case, which is the same on a busy machine, in seconds: that of the whole command, which
computes the case a second time with half as many steps for its verdict.
"""

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

ROWS, LINES, COLUMNS = 10, 32, 32


def write_case(path):
    """Correlated rock of 100 mD, two wells of 0.5 Mt/year each over the lower half."""
    shape = (1, ROWS, LINES, COLUMNS)
    drawn = np.random.default_rng(1).standard_normal(shape)
    smooth = np.exp(-40 * (np.fft.fftfreq(LINES)[:, None] ** 2 + np.fft.rfftfreq(COLUMNS)[None] ** 2))
    rock = np.fft.irfftn(np.fft.rfftn(drawn, axes=(2, 3)) * smooth, s=shape[2:], axes=(2, 3))
    rock /= rock.std()
    open_cells = np.zeros(shape)
    for line, column in ((10, 12), (21, 20)):
        open_cells[:, ROWS // 2:, line, column] = 1
    arrays = {
        "grid/x_edges": ("m", np.linspace(0, 9600, COLUMNS + 1)), "grid/y_edges": ("m", np.linspace(0, 9600, LINES + 1)),
        "grid/z_edges": ("m", np.linspace(0, 100, ROWS + 1)), "grid/times": ("day", np.cumsum(91 * 1.1 ** np.arange(27))),
        "inputs/permeability_x": ("mD", 100 * np.exp(0.8 * rock)), "inputs/permeability_y": ("mD", 100 * np.exp(0.8 * rock)),
        "inputs/permeability_z": ("mD", 10 * np.exp(0.8 * rock)), "inputs/porosity": ("1", np.clip(0.2 + 0.03 * rock, 0.05, 0.35)),
        "inputs/perforation": ("1", open_cells), "inputs/cell_injection_rate": ("Mt/year", 0.1 * open_cells),
        "inputs/active": ("1", np.ones(shape)), "inputs/injection_rate": ("Mt/year", [1.0]),
        "inputs/initial_pressure": ("bar", [150.0]), "inputs/temperature": ("degC", [55.0]), "inputs/thickness": ("m", [100.0]),
        "inputs/irreducible_water_saturation": ("1", [0.2]), "inputs/van_genuchten_lambda": ("1", [0.5])}
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": "plumecast-dataset", "format_version": 1, "aquifer_factor": "1000"})
        for name, (unit, values) in arrays.items():
            array = file.create_dataset(name, data=np.asarray(values, "f8"))
            array.attrs["units"], array.attrs["long_name"] = unit, name.split("/")[1]


def processor_time(plumecast, folder, substeps):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([plumecast, "estimate", folder / "case.h5", "-o", folder / "fields.h5", "--force", "--threads", "1", "--substeps",
                    str(substeps)], check=True, capture_output=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_case(folder / "case.h5")
        for substeps in (1, 2, 4):
            times = sorted(processor_time(sys.argv[1], folder, substeps) for _ in range(3))
            print(f"{substeps} steps between two times: {times[0]:.2f} s (best of 3), {times[-1]:.2f} s (worst)")


if __name__ == "__main__":
    main()
