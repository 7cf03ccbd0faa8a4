#!/usr/bin/env python3
"""Times import, export, split and merge against plain copies by the HDF5 library, on made-up runs.

Plain copy: reads every array of the data set case by case and writes it with the same storage (chunks of a case, shuffle, gzip
4, Fletcher-32). Plain copy unpacked: reads every array likewise and writes an array without compression that has as many bytes
as the exported files, in chunks of a case; the export is compared with that of its own size. What is written is brought to the
disk in all of them. Each is run --rounds times in turn; the fastest counts. Needs numpy and h5py (packages python3-numpy, python3-h5py).

Usage: data_speed.py PLUMECAST [--cases 16] [--rounds 3] [--folder FOLDER]
"""
import argparse
import json
import math
import os
import struct
import subprocess
import tempfile
import time
from pathlib import Path

import h5py
import numpy

ROWS, COLUMNS, TIMES = 96, 200, 24
KINDS = {"INTE": ">i4", "REAL": ">f4", "DOUB": ">f8"}
VALUES = {"injection_rate": 1.0, "temperature": 60.0, "irreducible_water_saturation": 0.2, "van_genuchten_lambda": 0.5,
          "perforation": [50.0, 100.0]}


def record(keyword, kind, values):
    """An unformatted array, in blocks of 1000."""
    data = numpy.asarray(values).astype(KINDS[kind])
    mark = lambda count: struct.pack(">i", count)
    out = [mark(16), keyword.ljust(8).encode(), mark(len(data)), kind.encode(), mark(16)]
    for begin in range(0, len(data), 1000):
        block = data[begin : begin + 1000].tobytes()
        out += [mark(len(block)), block, mark(len(block))]
    return b"".join(out)


def write_run(root, random):
    """A run of the published grid with smooth made-up fields, in double precision."""
    r = numpy.concatenate([[0.1], 0.1 + numpy.cumsum(3.5938 * 1.035012 ** numpy.arange(COLUMNS))])
    depth = 1000.0 + 200.0 / ROWS * numpy.arange(ROWS + 1)
    pillars = [[x, side * x, 1000.0, x, side * x, 1200.0] for side in (-math.pi, math.pi) for x in r]
    corners = numpy.repeat(numpy.stack([depth[:-1], depth[1:]], 1).ravel(), 4 * COLUMNS)
    head, grid_head = numpy.zeros(100, int), numpy.zeros(100, int)
    head[2], head[14] = 1, 5
    grid_head[:4] = 1, COLUMNS, 1, ROWS
    centre = 0.5 * (r[1:] + r[:-1])[None, :]
    z = numpy.linspace(0, 1, ROWS)[:, None]
    rock = 5 + numpy.cumsum(random.normal(0, 0.05, (ROWS, COLUMNS)), 1)
    root.with_suffix(".EGRID").write_bytes(record("GRIDHEAD", "INTE", grid_head) + record("COORD", "REAL", numpy.ravel(pillars))
                                           + record("ZCORN", "REAL", corners) + record("ENDGRID", "INTE", []))
    root.with_suffix(".INIT").write_bytes(record("INTEHEAD", "INTE", head) + record("PORO", "REAL", 0.2 + 0.01 * rock.ravel())
                                          + record("PERMX", "REAL", numpy.exp(rock).ravel())
                                          + record("PERMZ", "REAL", numpy.exp(rock - 2).ravel()))
    with open(root.with_suffix(".UNRST"), "wb") as file:
        for step, day in enumerate([0.0, *numpy.geomspace(1, 10950, TIMES)]):
            front = 20.0 * math.sqrt(day) * (1.2 - z)
            gas = 0.6 * numpy.clip(1 - centre / (front + 1e-9), 0, 1) * (1 + 0.01 * rock)
            rise = 30.0 * numpy.exp(-centre / (100 * math.sqrt(day) + 1e-9)) * (day > 0) * (1 + 0.01 * rock)
            file.write(record("SEQNUM", "INTE", [step]) + record("INTEHEAD", "INTE", head) + record("DOUBHEAD", "DOUB", [day])
                       + record("PRESSURE", "DOUB", (100 + 20 * z + rise).ravel()) + record("SGAS", "DOUB", gas.ravel()))


def plain_copy(source, target):
    with h5py.File(source) as old, h5py.File(target, "w") as new:
        def copy(name, item):
            if not isinstance(item, h5py.Dataset):
                return
            storage = {} if item.chunks is None else {
                "chunks": item.chunks, "shuffle": True, "compression": "gzip", "compression_opts": 4, "fletcher32": True}
            array = new.create_dataset(name, item.shape, item.dtype, **storage)
            for case in range(item.shape[0]):
                array[case] = item[case]
        old.visititems(copy)


def unpacked_copy(source, target, files):
    """An array without compression, a chunk per case, of as many bytes as `files` have."""
    size = sum(path.stat().st_size for path in files)
    with h5py.File(source) as old, h5py.File(target, "w") as new:
        arrays = [item for group in ("inputs", "outputs") for item in old[group].values() if item.chunks]
        cases = len(arrays[0])
        per_case = size // cases
        array = new.create_dataset("bytes", (cases, per_case), "u1", chunks=(1, per_case))
        for case in range(cases):
            values = numpy.concatenate([item[case].ravel().view("u1") for item in arrays])
            array[case] = numpy.resize(values, per_case)


def to_disk(path):
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


def timed(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plumecast", help="the executable")
    parser.add_argument("--cases", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", help="where to write some gigabytes; default: a temporary folder")
    arguments = parser.parse_args()
    program = str(Path(arguments.plumecast).resolve())
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder = Path(name)
        random = numpy.random.default_rng(7)
        runs = [folder / f"RUN{i}" for i in range(arguments.cases)]
        for run in runs:
            write_run(run, random)
        (folder / "values.json").write_text(json.dumps(VALUES))
        call = lambda *words: subprocess.run([program, *map(str, words)], check=True, cwd=folder, stdout=subprocess.DEVNULL)
        files = lambda name: [path for path in (folder / name).iterdir()]

        def copy(target, work):
            work(folder / "data.h5", folder / target)
            to_disk(folder / target)

        tasks = {"import": lambda: call("import", *runs, "-o", "data.h5", "--values", "values.json"),
                 "plain copy": lambda: copy("copy.h5", plain_copy),
                 "split": lambda: call("split", "data.h5", "-o", "parts", "--exact"),
                 "merge": lambda: call("merge", *sorted(folder.glob("parts/*.h5")), "-o", "all.h5"),
                 "stats": lambda: call("stats", "data.h5")}
        for sectors in (1, 12):
            name = f"sectors_{sectors}"
            for jobs in (1, 0):
                tasks[f"export --sectors {sectors}" + (" --jobs 1" if jobs else "")] = (
                    lambda name=name, sectors=sectors, jobs=jobs: call("export", "data.h5", "-o", name, "--sectors", sectors,
                                                                       *(("--jobs", jobs) if jobs else ())))
            tasks[f"plain copy unpacked, {sectors}"] = lambda name=name: copy(
                "unpacked.h5", lambda source, target: unpacked_copy(source, target, files(name)))
        best = {}
        for _ in range(arguments.rounds):
            for task, work in tasks.items():
                for old in {"import": ["*.h5", "parts/*.h5"], "export": ["sectors_*/*"]}.get(task.split()[0], ["unpacked.h5"]):
                    for path in folder.glob(old):
                        path.unlink()
                best[task] = min(best.get(task, math.inf), timed(work))
        for sectors in (1, 12):
            call("export", "data.h5", "-o", f"sectors_{sectors}", "--sectors", sectors)
            written = sum(path.stat().st_size for path in files(f"sectors_{sectors}")) / 1e6
            copied = best[f"plain copy unpacked, {sectors}"]
            for jobs in (" --jobs 1", ""):
                task = f"export --sectors {sectors}{jobs}"
                print(f"{task:<28} {written / best[task]:7.0f} MB/s of {written:.0f} MB, {copied / best[task]:5.2f} times the plain copy unpacked")
        size = (folder / "data.h5").stat().st_size
        read = sum(path.stat().st_size for path in folder.glob("RUN*.*"))
        print(f"{arguments.cases} cases: {read / 1e6:.0f} MB of runs, {size / 1e6:.0f} MB as a data set; best of {arguments.rounds}")
        for task, seconds in best.items():
            print(f"{task:<28} {seconds:7.2f} s   {best['plain copy'] / seconds:6.2f} times the speed of the plain copy")


if __name__ == "__main__":
    main()
