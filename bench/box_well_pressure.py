#!/usr/bin/env python3
"""Bottom-hole pressures of boxes by `plumecast estimate` beside those of the simulator, for a data set that `plumecast generate --keep-decks` made.

Usage: box_well_pressure.py PLUMECAST DATA.h5 DECKS [STEPS=2,4]

Prints lines for the table of docs/benchmarks/three_dimensions.md: differences at all times of the highest bottom-hole pressure of the wells, per rise of
the simulator's (WBHP) above the initial pressure at the top of the formation. Needs opm-common's Python package and h5py.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np
from opm.io.ecl import ESmry

plumecast, data, decks = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
steps = next((one[6:] for one in sys.argv[4:] if one.startswith("STEPS=")), "2,4").split(",")
with h5py.File(data) as cases:
    times, initial, numbers = cases["grid/times"][:], cases["inputs/initial_pressure"][:], cases["case/number"][:]
simulated = []
for number in numbers:
    run = ESmry(str(decks / f"case_{number:08d}" / "CASE.SMSPEC"))
    wells = [run[key] for key in run.keys() if key.startswith("WBHP:")]
    simulated.append(np.interp(times, run["TIME"], np.max(wells, axis=0)))
rises = np.array(simulated) - initial[:, None]
print("| substeps | median | 90 % below | at most |\n|---|---|---|---|")
for count in steps:
    with tempfile.TemporaryDirectory() as folder:
        fields = Path(folder) / "fields.h5"
        subprocess.run([plumecast, "estimate", str(data), "-o", str(fields), "--substeps", count, "--threads", "1"], check=True, capture_output=True)
        with h5py.File(fields) as result:
            off = np.abs(result["case/bottom_hole_pressure"][:] - simulated) / rises
    print(f"| {count} | {np.median(off):.1%} | {np.quantile(off, 0.9):.1%} | {off.max():.1%} (case {off.max(axis=1).argmax()}, day {times[off.max(axis=0).argmax()]:.0f}) |")
