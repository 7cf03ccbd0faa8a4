#!/usr/bin/env python3
"""Measures how fast a training file larger than any cache is read, and with how much memory.

Makes a data set of the published grid of --gigabytes (chunks of a few made-up cases, as they are stored, again and again),
takes it out of the system's cache before each reading, and reads it as the disk gives it (dd), case by case with h5py, and
as training does (bench_batch_stream: inputs and one field, in a random order).

Usage: stream_speed.py PLUMECAST BENCH_BATCH_STREAM [--gigabytes 4] [--plain] [--keep FILE]
"""
import argparse
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

import h5py
import numpy

from data_speed import TIMES, VALUES, write_run

DIFFERENT = 4


def made_up_cases(program, folder):
    """A data set of a few cases of the published grid."""
    random = numpy.random.default_rng(7)
    runs = [folder / f"RUN{i}" for i in range(DIFFERENT)]
    for run in runs:
        write_run(run, random)
    (folder / "values.json").write_text(json.dumps(VALUES))
    subprocess.run([program, "import", *runs, "-o", "few.h5", "--values", "values.json"], check=True, cwd=folder,
                   stdout=subprocess.DEVNULL)
    for run in runs:
        for path in folder.glob(run.name + ".*"):
            path.unlink()
    return folder / "few.h5"


def multiply(few, many, size, is_plain):
    """The cases again and again until the file has about `size` bytes; compressed as they are, or plain."""
    with h5py.File(few) as old, h5py.File(many, "w", libver=("v108", "v110")) as new:
        maps = [f"{group}/{key}" for group in ("inputs", "outputs") for key in old[group]]
        by_case = [name for name in maps if old[name].chunks]
        row = lambda name: old[name].nbytes if is_plain else old[name].id.get_storage_size()
        cases = max(DIFFERENT, int(size / sum(map(row, by_case)) * DIFFERENT))
        new.attrs.update(old.attrs)
        old.copy("grid", new)
        for name in maps:
            array, shape = old[name], (cases, *old[name].shape[1:])
            storage = {"chunks": array.chunks} if array.chunks else {}
            if array.chunks and not is_plain:
                storage.update(shuffle=True, compression="gzip", compression_opts=4, fletcher32=True)
            made = new.create_dataset(name, shape, array.dtype, **storage)
            made.attrs["units"] = array.attrs["units"]
            if not array.chunks:
                made[:] = numpy.resize(array[:], shape)
        for case in range(cases):
            for name in by_case:
                at, old_at = ((case if i == 0 else case % DIFFERENT, *[0] * (old[name].ndim - 1)) for i in (0, 1))
                if is_plain:
                    new[name].id.write_direct_chunk(at, old[name][case % DIFFERENT].tobytes())
                else:
                    filters, chunk = old[name].id.read_direct_chunk(old_at)
                    new[name].id.write_direct_chunk(at, chunk, filters)
    return cases


def forget(path):
    """Takes a file out of the system's cache."""
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def read_by_h5py(path):
    with h5py.File(path) as file:
        arrays = [file[f"inputs/{name}"] for name in ("active", "permeability_r", "permeability_z", "perforation", "porosity")]
        arrays.append(file["outputs/gas_saturation"])
        order = numpy.random.default_rng(1).permutation(len(arrays[0]))
        return sum(array[case].nbytes for case in order for array in arrays)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plumecast", help="the executable")
    parser.add_argument("stream", help="bench_batch_stream")
    parser.add_argument("--gigabytes", type=float, default=4.0)
    parser.add_argument("--plain", action="store_true", help="arrays without compression")
    parser.add_argument("--keep", metavar="FILE", help="keep the data set there, and take it from there when it exists")
    parser.add_argument("--folder", help="where the file is made; default: a temporary folder")
    arguments = parser.parse_args()
    program, stream = (str(Path(name).resolve()) for name in (arguments.plumecast, arguments.stream))
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        many = Path(arguments.keep or Path(name) / "many.h5")
        if not many.exists():
            multiply(made_up_cases(program, Path(name)), many, 1e9 * arguments.gigabytes, arguments.plain)
        size = many.stat().st_size
        with h5py.File(many) as file:
            cases = len(file["inputs/active"])
            needed = [f"inputs/{key}" for key in ("active", "permeability_r", "permeability_z", "perforation", "porosity")]
            stored = sum(file[key].id.get_storage_size() for key in (*needed, "outputs/gas_saturation"))
        print(f"{cases} cases, {size / 1e9:.2f} GB, of which {stored / 1e9:.2f} GB are read; {TIMES} times")
        forget(many)
        begin = time.perf_counter()
        subprocess.run(["dd", f"if={many}", "of=/dev/null", "bs=4M"], check=True, stderr=subprocess.DEVNULL)
        print(f"dd       {size / (time.perf_counter() - begin) / 1e6:7.0f} MB/s of the file")
        forget(many)
        begin = time.perf_counter()
        decoded = read_by_h5py(many)
        seconds = time.perf_counter() - begin
        print(f"h5py     {stored / seconds / 1e6:7.0f} MB/s of the file, {decoded / seconds / 1e6:7.0f} MB/s of values")
        forget(many)
        told = json.loads(subprocess.run([stream, str(many)], check=True, capture_output=True, text=True).stdout)
        seconds = told["seconds"]
        print(f"training {stored / seconds / 1e6:7.0f} MB/s of the file, {decoded / seconds / 1e6:7.0f} MB/s of values; "
              f"peak memory {told['peak_bytes'] / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
