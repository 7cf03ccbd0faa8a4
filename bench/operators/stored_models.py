"""Trains three tiny models of generic data and keeps what they predict: later releases must predict the same.

    python3 bench/operators/stored_models.py tests/reference/generic

The command plumecast is taken from the path. What is there is not made anew: a test reads it as the release that made it left it.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

CASES, TIMES = 2, 3
NETWORK = {"width": 3, "hidden": 4, "fourier_blocks": 2, "activation": "gelu"}


def drawn(**shapes):
    """Arrays of these shapes for each case, by their names."""
    return {
        name: np.random.default_rng(list(name.encode())).uniform(1, 2, (CASES, *shape)).astype(np.float32)
        for name, shape in shapes.items()
    }


def plane():
    """A mask, constants of points, a logarithm and a number; without time."""
    arrays = drawn(coefficient=(4, 5), load=(), active=(4, 5), u=(4, 5))
    arrays["active"][...] = np.arange(20).reshape(4, 5) != 7
    inputs = {"coefficient": ("nyx", "m2/s"), "load": ("n", "W"), "active": ("nyx", "1")}
    return "y,x", {}, arrays, inputs, {"u": ("nyx", "K")}, ["--per-point"], {"modes": [2, 2, 0], "padding": [0, 0, 0]}


def line():
    """Rolls over times, from two states; a series goes along."""
    arrays = drawn(w0=(6,), w1=(6,), inflow=(TIMES,), w=(TIMES, 6))
    inputs = {"w0": ("nx", "1"), "w1": ("nx", "1"), "inflow": ("nt", "kg/s")}
    network = {"modes": [0, 3, 0], "padding": [0, 0, 0]}
    return "x", {"times": [1, 2, 3]}, arrays, inputs, {"w": ("ntx", "1")}, ["--rollout", "1"], network


def box():
    """A field that varies in time, two outputs, padded edges."""
    arrays = drawn(source=(TIMES, 2, 3, 4), u=(TIMES, 2, 3, 4), v=(TIMES, 2, 3, 4))
    outputs = {"u": ("ntzyx", "K"), "v": ("ntzyx", "m/s")}
    network = {"modes": [1, 2, 2, 2], "padding": [0, 1, 1, 1]}
    return "z,y,x", {"times": [0.5, 1, 2]}, arrays, {"source": ("ntzyx", "W")}, outputs, [], network


def entries(axes_and_units):
    return {name: {"file": f"{name}.npy", "axes": axes, "unit": unit} for name, (axes, unit) in axes_and_units.items()}


def make(target, axes, grid, arrays, inputs, outputs, options, network):
    """A model in `target`/model, and in `target`/fields.h5 the cases with what it predicts of them."""
    with tempfile.TemporaryDirectory() as folder:
        run = lambda *words: subprocess.run(["plumecast", *words], cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout  # noqa: E731
        for name, array in arrays.items():
            np.save(f"{folder}/{name}.npy", array)
        Path(folder, "map.json").write_text(
            json.dumps({"geometry": "generic", "axes": axes, "grid": grid, "inputs": entries(inputs), "outputs": entries(outputs)})
        )
        run("import", *(f"{name}.npy" for name in arrays), "--map", "map.json", "-o", "data.h5")
        recipe = json.loads(run("config", "--default", "fno", "--data", "data.h5", *options))
        recipe["network"] |= NETWORK | network
        recipe |= {"epochs": 2, "batch_size": 2, "threads": 1, "output": "run"}
        for channel in recipe["channels"]:
            if channel["name"] == "load":
                channel |= {"transform": "log", "offset": 0.4, "scale": 0.2}
        Path(folder, "recipe.json").write_text(json.dumps(recipe))
        run("train", "recipe.json")
        run("predict", "run/best", "data.h5", "-o", "fields.h5")
        shutil.copytree(f"{folder}/run/best", target / "model")
        shutil.copy(f"{folder}/fields.h5", target)


def main(target):
    for one in (plane, line, box):
        folder = Path(target) / one.__name__
        if not folder.exists():
            folder.mkdir(parents=True)
            make(folder, *one())


if __name__ == "__main__":
    main(*sys.argv[1:])
