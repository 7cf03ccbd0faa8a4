#!/usr/bin/env python3
"""Trains Plumecast's FNO and an FNO in PyTorch on the same data, with the same widths, modes, layers, batches, epochs and schedule, and prints a row of
docs/benchmarks/operators.md for each problem: relative L2 on cases that neither saw, time and memory of the training.

Usage: compare.py PLUMECAST FOLDER [--problems darcy burgers vorticity] [--epochs N] [--seeds 1 2 3]     needs NumPy, SciPy, h5py and PyTorch
FOLDER/PROBLEM is made anew. With several seeds a row has the means over them, and behind the ratio the least and the largest of single seeds.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent

PROBLEMS = {
    "darcy": {
        "script": "darcy.py", "files": ["darcy_a.npy", "darcy_u.npy"], "epochs": 60, "modes": [12, 12, 0], "padding": [8, 8, 0],
        "map": {"geometry": "generic", "axes": "y,x",
                "inputs": {"coefficient": {"file": "darcy_a.npy", "axes": "nyx"}},
                "outputs": {"u": {"file": "darcy_u.npy", "axes": "nyx"}}},
    },
    "burgers": {
        "script": "burgers.py", "files": ["burgers_u.npy"], "epochs": 60, "modes": [0, 12, 8], "padding": [0, 0, 6],
        "map": {"geometry": "generic", "axes": "x", "grid": {"times": [k / 20 for k in range(1, 21)]},
                "inputs": {"start": {"axes": "ntx", "entries": {"t": 0}}},
                "outputs": {"u": {"axes": "ntx", "entries": {"t": [1, 21]}}}},
    },
    "vorticity": {
        "script": "navier_stokes.py", "files": ["vorticity.npy"], "epochs": 30, "modes": [8, 8, 5], "padding": [0, 0, 6],
        "map": {"geometry": "generic", "axes": "y,x", "grid": {"times": list(range(5, 16))},
                "inputs": {f"w{k}": {"axes": "ntyx", "entries": {"t": k}} for k in range(5)},
                "outputs": {"w": {"axes": "ntyx", "entries": {"t": [5, 16]}}}},
    },
}


def run(command, folder):
    """What a command prints, the seconds it took, and the largest memory that it held [MiB]."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - start
        out.seek(0)
        errors.seek(0)
        if process.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: {errors.read()}")
        return out.read(), seconds, used.ru_maxrss / 1024


def prepare(plumecast, problem, folder):
    """The data set, split into parts, and the recipe; for each seed the recipe is written anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    run([sys.executable, HERE.resolve() / problem["script"], "."], folder)
    (folder / "map.json").write_text(json.dumps(problem["map"]))
    run([plumecast, "import", *problem["files"], "--map", "map.json", "-o", "data.h5", "--force"], folder)
    run([plumecast, "split", "data.h5", "-o", "parts", "--force"], folder)
    text, _, _ = run([plumecast, "config", "--default", "fno", "--data", "parts/train.h5"], folder)
    recipe = json.loads(text)
    recipe["network"].update(modes=problem["modes"], padding=problem["padding"])
    recipe["data"]["validation"] = "parts/validation.h5"
    recipe.update(epochs=problem["epochs"], output="run")
    recipe["optimizer"]["weight_decay"] = 0.0
    return recipe


def ours(plumecast, folder):
    shutil.rmtree(folder / "run", ignore_errors=True)
    _, seconds, mebibytes = run([plumecast, "train", "recipe.json"], folder)
    text, _, _ = run([plumecast, "evaluate", "run/best", "parts/test.h5", "--json"], folder)
    return json.loads(text)["fields"][0]["mean"]["relative_l2"], seconds, mebibytes


def peers(folder):
    text, seconds, mebibytes = run([sys.executable, HERE.resolve() / "torch_fno.py", "recipe.json"], folder)
    return json.loads(text)["relative_l2"], seconds, mebibytes


def row(name, found):
    """A row of the table from error, seconds and memory of both, seed after seed."""
    (error, seconds, mebibytes), (peer_error, peer_seconds, peer_mebibytes) = (
        [statistics.fmean(values) for values in zip(*(seed[which] for seed in found))] for which in (0, 1))
    ratios = [mine[0] / peer[0] for mine, peer in found]
    spread = f" ({min(ratios):.2f} to {max(ratios):.2f})" if len(found) > 1 else ""
    return (f"| {name} | {error:.4f} | {peer_error:.4f} | {error / peer_error:.2f}{spread} | {seconds:.0f} s | {peer_seconds:.0f} s "
            f"| {mebibytes:.0f} MiB | {peer_mebibytes:.0f} MiB |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plumecast", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--problems", nargs="+", default=list(PROBLEMS), choices=list(PROBLEMS))
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    options = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", str(len(os.sched_getaffinity(0))))
    print("| problem | relative L2: ours | PyTorch | ratio | training: ours | PyTorch | memory: ours | PyTorch |\n|---|---|---|---|---|---|---|---|", flush=True)
    for name in options.problems:
        problem = dict(PROBLEMS[name])
        problem["epochs"] = options.epochs or problem["epochs"]
        folder = options.folder / name
        recipe = prepare(options.plumecast, problem, folder)
        found = []
        for seed in options.seeds:
            (folder / "recipe.json").write_text(json.dumps(recipe | {"seed": seed}))
            found.append((ours(options.plumecast, folder), peers(folder)))
        print(row(name, found), flush=True)


if __name__ == "__main__":
    main()
