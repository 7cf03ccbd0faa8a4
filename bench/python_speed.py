#!/usr/bin/env python3
"""What a prediction from arrays to arrays costs in Python over the same calls of plumecast.h: one case, the shipped model.

Usage: python python_speed.py [MODEL] [--rounds 21] [--threads 1]

Needs the package plumecast. The calls of plumecast.h go to its library by ctypes, with arrays and structs made before; both sides make
their cases from the arrays, predict and let the cases go, one after the other in each round. Prints medians as JSON.
"""
import argparse
import ctypes
import json
import statistics
import time
from pathlib import Path

import numpy as np
import plumecast


class Array(ctypes.Structure):
    """plumecast_array."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Named(ctypes.Structure):
    """plumecast_named."""

    _fields_ = [("name", ctypes.c_char_p), ("array", Array)]


class DeviceOptions(ctypes.Structure):
    """plumecast_device_options."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("threads", ctypes.c_int32),
        ("bfloat16", ctypes.c_int32),
        ("memory_limit", ctypes.c_uint64),
    ]


def described(array):
    """A contiguous array of numbers as plumecast.h takes it."""
    shape = (ctypes.c_int64 * array.ndim)(*array.shape)
    return Array(array.ctypes.data, 1, 0, array.ndim, 2, 8 * array.itemsize, 1, shape, None, 0)


def sample(model):
    """A case of homogeneous rock on the grid of the training."""
    grid = model.grid
    rock = np.zeros((1, len(grid["z_edges"]) - 1, len(grid["r_edges"]) - 1))
    rock[:, : rock.shape[1] // 2] = 1
    well = np.zeros_like(rock)
    well[:, : rock.shape[1] // 2, 0] = 1
    maps = {"permeability_r": 100 * rock, "permeability_z": 10 * rock, "porosity": 0.2 * rock, "perforation": well, "active": rock}
    numbers = {"injection_rate": 1.0, "initial_pressure": 150.0, "temperature": 60.0, "irreducible_water_saturation": 0.2}
    numbers |= {"van_genuchten_lambda": 0.5, "thickness": grid["z_edges"][rock.shape[1] // 2]}
    return grid | maps | {name: np.array([number]) for name, number in numbers.items()}


class Calls:
    """A prediction by the calls of plumecast.h."""

    def __init__(self, model, arrays, threads):
        self.library = ctypes.CDLL(str(Path(plumecast.__file__).parent / "libplumecast_c.so.1"))
        self.library.plumecast_last_error.restype = ctypes.c_char_p
        options = DeviceOptions(ctypes.sizeof(DeviceOptions), threads, 0, 0)
        self.device, self.model = ctypes.c_void_p(), ctypes.c_void_p()
        self.require(self.library.plumecast_device_open(b"cpu", ctypes.byref(options), ctypes.byref(self.device)))
        self.require(self.library.plumecast_model_load(self.device, model.path.encode(), ctypes.byref(self.model)))
        self.inputs = [(n.encode(), model.inputs[n].unit.encode(), described(array)) for n, array in arrays.items()]
        shape = plumecast.Cases(**arrays).extents.shape
        self.outputs = {name: np.empty(shape, np.float32) for name in model.fields}
        self.named = (Named * len(self.outputs))(*[Named(n.encode(), described(a)) for n, a in self.outputs.items()])

    def require(self, status):
        if status != 0:
            raise SystemExit(self.library.plumecast_last_error().decode())

    def predict(self):
        cases = ctypes.c_void_p()
        self.require(self.library.plumecast_cases_create(ctypes.byref(cases)))
        for name, unit, array in self.inputs:
            self.require(self.library.plumecast_cases_set(cases, name, unit, ctypes.byref(array)))
        count = ctypes.c_size_t(len(self.named))
        self.require(self.library.plumecast_predict(self.model, cases, self.named, count, None))
        self.library.plumecast_cases_release(cases)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", nargs="?", default="radial-co2")
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    model = plumecast.load(given.model, device="cpu", threads=given.threads)
    arrays = sample(model)
    calls = Calls(model, arrays, given.threads)
    works = {
        "c_seconds": calls.predict,
        "python_seconds": lambda: model.predict(plumecast.Cases(**arrays)),
        "python_into_arrays_seconds": lambda: model.predict(plumecast.Cases(**arrays), out=calls.outputs),
    }
    times = {name: [] for name in works}
    for round_number in range(-1, given.rounds):  # the first warms up
        for name, work in works.items():
            begin = time.perf_counter()
            work()
            if round_number >= 0:
                times[name].append(time.perf_counter() - begin)
    medians = {name: statistics.median(seconds) for name, seconds in times.items()}
    fields = model.predict(plumecast.Cases(**arrays))
    calls.predict()
    for name, field in fields.items():
        np.testing.assert_array_equal(field, calls.outputs[name], f"{name} differs between Python and C")
    over = {f"{name.removesuffix('_seconds')}_over_c": medians[name] / medians["c_seconds"] - 1 for name in list(medians)[1:]}
    print(json.dumps({"device": model.device, "rounds": given.rounds, **medians, **over}, indent=2))


if __name__ == "__main__":
    main()
