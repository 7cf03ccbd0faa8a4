#!/usr/bin/env python3
"""How long ONNX Runtime takes for a case of an exported network, beside this engine, in turns.

Usage: onnxruntime_speed.py PLUMECAST DATA.h5 MODEL... [--batch 4] [--threads 1 2] [--rounds 7]
Prints a table in Markdown. Needs onnxruntime and numpy (pip install onnxruntime). Nothing else should run meanwhile.
"""
import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
import onnxruntime

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from report import commit, machine, table  # noqa: E402


def exported(plumecast, model, threads, folder):
    """A session of the exported model on so many threads."""
    path = Path(folder) / (Path(model).name + ".onnx")
    subprocess.run([plumecast, "export-onnx", model, "-o", path], check=True, capture_output=True)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def onnxruntime_seconds(session, batch):
    """Seconds per case of one pass over a batch of random numbers."""
    generator = numpy.random.default_rng(1)
    inputs = {given.name: generator.standard_normal([batch, *given.shape[1:]], dtype=numpy.float32)
              for given in session.get_inputs()}
    start = time.perf_counter()
    session.run(None, inputs)
    return (time.perf_counter() - start) / batch


def own_seconds(plumecast, model, data, threads, batch):
    """Seconds per case of the networks alone."""
    output = subprocess.run([plumecast, "bench", "predict", model, data, "--json", "--rounds", "1", "--batch", str(batch),
                             "--threads", str(threads), "--device", "cpu"], check=True, capture_output=True, text=True).stdout
    measured = json.loads(output)
    return measured["compute_s"] / measured["cases"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plumecast")
    parser.add_argument("data")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for model in given.models:
            for threads in given.threads:
                session = exported(given.plumecast, model, threads, folder)
                onnxruntime_seconds(session, given.batch)  # plans and memory of the first pass
                own, other = [], []
                for _ in range(given.rounds):
                    own.append(own_seconds(given.plumecast, model, given.data, threads, given.batch))
                    other.append(onnxruntime_seconds(session, given.batch))
                a, b = statistics.median(own), statistics.median(other)
                rows.append([Path(model).name, str(threads), f"{1e3 * a:.2f}", f"{1e3 * b:.2f}", f"{b / a:.2f}"])
    print(f"{machine()}, ONNX Runtime {onnxruntime.__version__}, commit {commit()}, batch {given.batch}, medians of "
          f"{given.rounds} rounds in turn\n")
    print(table(["model", "threads", "Plumecast [ms per case]", "ONNX Runtime [ms per case]", "ratio"], rows))


if __name__ == "__main__":
    main()
