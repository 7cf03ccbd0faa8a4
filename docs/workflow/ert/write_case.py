#!/usr/bin/env python3
"""Writes one case of a data set as a file of its own: write_case.py CASES.h5 NUMBER CASE.h5

Where parameters.json of ERT is in the current folder, INJECTION_RATE multiplies the rate and LOG10_PERMEABILITY is added
to the decimal logarithm of all permeabilities. A parameter that has the name of another input in capitals, such as POROSITY,
is its value, of a map in all cells where it is not 0. Needs h5py. Exit code 0 only when the file is complete.
"""
import json
import math
import os
import sys
from pathlib import Path
from typing import Any

import h5py
import numpy


def parameter(name: str, default: float) -> float:
    """Value in parameters.json, which newer versions of ERT write as {NAME: {value: x}} and older ones by group."""
    path = Path("parameters.json")
    if not path.exists():
        return default
    for key, value in json.loads(path.read_text()).items():
        if key == name:
            return float(value["value"] if isinstance(value, dict) else value)
        if isinstance(value, dict) and name in value:
            return float(value[name])
    return default


def changed(name: str, values: Any) -> Any:
    """The values of an input, as the parameters have it."""
    if name in ("injection_rate", "cell_injection_rate"):
        return values * parameter("INJECTION_RATE", 1.0)
    if name.startswith("permeability_"):
        return values * 10.0 ** parameter("LOG10_PERMEABILITY", 0.0)
    value = parameter(name.upper(), math.nan)
    if math.isnan(value):
        return values
    return numpy.where(values != 0, value, values) if values.ndim > 1 else numpy.full_like(values, value)


def copy_case(source: Any, number: int, target: Any) -> None:
    count = len(source["inputs/injection_rate"])
    if not 0 <= number < count:
        raise SystemExit(f"write_case: no case {number} (the file has cases 0 to {count - 1}); choose one of them")
    target.attrs.update({name: source.attrs[name] for name in ("format", "format_version", "title")})
    source.copy("grid", target)
    for name, array in source["inputs"].items():
        copied = target.create_dataset(f"inputs/{name}", data=changed(name, array[number:number + 1]).astype(array.dtype))
        for attribute in ("units", "long_name"):
            copied.attrs[attribute] = array.attrs[attribute]


def main() -> None:
    if len(sys.argv) != 4 or not sys.argv[2].isdigit():
        raise SystemExit("write_case: give a data set, the number of a case and the file to write")
    cases, number, output = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    partial = output + ".partial"
    try:
        with h5py.File(cases) as source, h5py.File(partial, "w") as target:
            copy_case(source, number, target)
        os.replace(partial, output)
    except (OSError, KeyError) as problem:
        raise SystemExit(f"write_case: case {number} of {cases} cannot become {output} ({problem}); check paths and disk") from None
    finally:
        if os.path.exists(partial):
            os.remove(partial)


if __name__ == "__main__":
    main()
