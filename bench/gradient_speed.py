#!/usr/bin/env python3
"""Record and pull back beside PyTorch's forward pass and input gradient: one network, the same weights, in turn; prints JSON.

Usage: gradient_speed.py --build build/bench [--python PYTHON] [--size shipped] [--threads 2] [--rounds 3] [--repeat 5]
                         [--variants channels_last+malloc stock] [--keep FOLDER]

A random U-FNO of that size is written by bench_network_speed; PyTorch (the interpreter --python, with torch and safetensors) must give its
output within 1e-5 before anything is timed. Here it is a model of `plumecast import-weights`: the time is that of a call from arrays to
arrays, from physical inputs through channels to fields and back to the gradient of the permeability. PyTorch's time is that of the network
alone, from channels back to channels. --keep leaves the model and the case, `model` and `case.h5`, for other benchmarks. This interpreter
needs numpy and h5py. Let nothing else run on the machine.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np
from rounds import PEER, SIZES, shape_options


def write_case(path, grid):
    """A data set of one case of homogeneous rock, with a well in its upper half."""
    z, r, t = grid
    depth = 200.0
    rock = np.ones((1, z, r))
    well = np.zeros_like(rock)
    well[:, : z // 2, 0] = 1
    arrays = {
        "grid/r_edges": ("m", np.geomspace(0.1, 1e5, r + 1)),
        "grid/z_edges": ("m", np.linspace(0, depth, z + 1)),
        "grid/times": ("day", np.geomspace(1, 10950, t)),
        "inputs/permeability_r": ("mD", 100 * rock),
        "inputs/permeability_z": ("mD", 10 * rock),
        "inputs/porosity": ("1", 0.2 * rock),
        "inputs/perforation": ("1", well),
        "inputs/active": ("1", rock),
        "inputs/injection_rate": ("Mt/year", [1.0]),
        "inputs/initial_pressure": ("bar", [150.0]),
        "inputs/temperature": ("degC", [60.0]),
        "inputs/irreducible_water_saturation": ("1", [0.2]),
        "inputs/van_genuchten_lambda": ("1", [0.5]),
        "inputs/thickness": ("m", [depth]),
    }
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": "plumecast-dataset", "format_version": 1})
        for name, (unit, values) in arrays.items():
            file.create_dataset(name, data=np.asarray(values)).attrs["units"] = unit


def printed(command, threads):
    done = subprocess.run([str(word) for word in command], env=dict(os.environ, OMP_NUM_THREADS=str(threads)), capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"error: {' '.join(map(str, command))} failed: {done.stdout[-200:]}{done.stderr[-400:]}")
    return done.stdout


class Network:
    """One set of weights as both engines have it, and a case to predict, in a folder."""

    def __init__(self, given, folder):
        self.given, self.folder = given, folder
        size = SIZES[given.size]
        self.shape = shape_options(size)
        printed([given.build / "bench" / "bench_network_speed", *self.shape, "--repeat", "1", "--dump", folder], given.threads)
        self.check = json.loads(printed([given.python, PEER / "torch_check.py", folder], given.threads))
        printed([given.build / "apps" / "plumecast", "import-weights", self.weights, "-o", self.model], given.threads)
        write_case(folder / "case.h5", size["grid"])

    @property
    def weights(self):
        return self.folder / "weights.safetensors"

    @property
    def model(self):
        return self.folder / "model"

    def plumecast(self):
        """Seconds of record and pull back, and what it is over a prediction."""
        bench = self.given.build / "bench" / "bench_embedded_speed"
        command = [bench, self.model, self.folder / "case.h5", "--gradients", self.model, "--only", "gradients", "--rounds", self.given.repeat]
        found = json.loads(printed(command, self.given.threads))
        return found["record_and_pull_back_seconds"], found["record_and_pull_back_over_predict"]

    def torch(self, variant):
        """Seconds of a forward pass and a backward pass to the channels."""
        command = [self.given.python, PEER / "torch_speed.py", *self.shape, "--weights", self.weights, "--tasks", "input_gradient"]
        found = json.loads(printed([*command, "--variants", variant, "--threads", self.given.threads, "--repetitions", self.given.repeat], self.given.threads))
        if "error" in found:
            raise SystemExit(f"error: PyTorch, {variant}: {found['error']}")
        return found["median_s"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True, help="folder of a build with PLUMECAST_BENCH")
    parser.add_argument("--python", default=sys.executable, help="interpreter with torch and safetensors")
    parser.add_argument("--size", choices=SIZES, default="shipped")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--variants", nargs="+", default=("channels_last+malloc", "stock"), help="settings of PyTorch, as in peer/torch_speed.py")
    parser.add_argument("--keep", type=Path, help="folder for the model and the case, which stay there")
    given = parser.parse_args()
    ours, over_predict, theirs = [], [], {variant: [] for variant in given.variants}
    with tempfile.TemporaryDirectory() as scratch:
        if given.keep:
            given.keep.mkdir(parents=True)
        network = Network(given, given.keep or Path(scratch))
        for _ in range(given.rounds):
            for found, kept in zip(network.plumecast(), (ours, over_predict)):
                kept.append(found)
            for variant, seconds in theirs.items():
                seconds.append(network.torch(variant))
    best = min(theirs, key=lambda variant: statistics.median(theirs[variant]))
    print(json.dumps({
        "size": given.size, "threads": given.threads, "rounds": given.rounds, "torch": network.check["torch"],
        "relative_l2_of_outputs": network.check["relative_l2"],
        "record_and_pull_back_s": ours, "over_predict": over_predict, "torch_forward_and_input_gradient_s": theirs,
        "best_torch": best, "torch_over_plumecast": statistics.median(theirs[best]) / statistics.median(ours),
    }, indent=2))


if __name__ == "__main__":
    main()
