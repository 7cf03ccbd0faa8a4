#!/usr/bin/env python3
"""Tables what each kernel of a pass should take on a device, beside what it took; the rows add up to the pass.

Usage: kernel_predictions.py PREDICTED.json [--kernels CHECK.txt] [--measured PROFILE.csv]
  PREDICTED.json  of bench_kernel_predictions
  --kernels       what scripts/ci/check_kernels.py said: registers and shared memory by ptxas, and the occupancy that follows
  --measured      kernels_of_a_pass.out of scripts/gpu_check.sh, by ncu: fills the last column
Exit status 1 when the rows do not add up to the pass.
"""
import argparse
import csv
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "ci"))
import check_kernels  # noqa: E402

# An H200 by its data sheet: bytes and operations per second, and the parts of these that are expected (docs/benchmarks/gpu.md).
BANDWIDTH, MATRIX, PLAIN = 4.8e12 * 0.85, {"bf16": 990e12 * 0.6, "fp32": 67e12 * 0.6}, 67e12 * 0.6
LAUNCH = 0.7e-6  # seconds a recorded kernel takes at least
CAPABILITY, THREADS, WARPS, REGISTERS, SHARED = 90, 256, 64, 65536, 233472
LIBRARY = re.compile(r"(CoarseFromFine|FineFromCoarse|AxisProduct|Product)<")
LINE = re.compile(r"\S+ +(\d+) (.*?) +(\d+) registers +(\d+) B shared")


def occupancy(registers, shared):
    """Part of the warps that a multiprocessor can hold of a kernel of 256 threads."""
    blocks = min(REGISTERS // (-(-registers // 8) * 8 * THREADS), WARPS * 32 // THREADS, SHARED // shared if shared else WARPS)
    return blocks * THREADS / 32 / WARPS


def resources(text):
    """(registers, bytes of shared memory) by kernel."""
    found = {}
    for line in text.splitlines():
        if (match := LINE.match(line)) and int(match.group(1)) == CAPABILITY:
            found[match.group(2)] = int(match.group(3)), int(match.group(4))
    return found


def seconds_of(op, kernel):
    """Of an op by one kernel: what memory or arithmetic allows."""
    rate = PLAIN if not LIBRARY.match(kernel) else MATRIX["bf16" if "bfloat16" in kernel else "fp32"]
    return max(op["bytes"] / BANDWIDTH, op["operations"] / rate, LAUNCH)


def rows_of(predicted):
    """By op and kernel: launches, bytes, operations and seconds. An op of several kernels gives each an equal share of its
    bytes, and of its operations those that multiply, where there are such."""
    rows = defaultdict(lambda: [0, 0.0, 0.0, 0.0])
    for op in predicted["ops"]:
        multiplying = [kernel for kernel in op["kernels"] if LIBRARY.match(kernel)] or op["kernels"]
        for kernel in op["kernels"]:
            share = {"bytes": op["bytes"] / len(op["kernels"]),
                     "operations": op["operations"] / len(multiplying) if kernel in multiplying else 0.0}
            row = rows[op["op"], kernel]
            for column, value in enumerate((1, share["bytes"], share["operations"], seconds_of(share, kernel))):
                row[column] += value
    return rows


def discrepancy(rows, whole):
    """In which way the rows do not add up to the pass, or ''."""
    for column, name in enumerate(("kernels", "bytes", "operations")):
        total = sum(row[column] for row in rows.values())
        if abs(total - whole[name]) > 1e-9 * max(abs(whole[name]), 1.0):
            return f"{name}: the rows have {total:g}, the pass {whole[name]:g}"
    return ""


def profile(text):
    """(kernel, seconds) in their order, of the table that ncu writes behind what the program says."""
    lines = text.splitlines()
    start = next((n for n, line in enumerate(lines) if '"Kernel Name"' in line), len(lines))
    units = {"nsecond": 1e-9, "ns": 1e-9, "usecond": 1e-6, "us": 1e-6, "msecond": 1e-3, "ms": 1e-3, "second": 1.0, "s": 1.0}
    for row in csv.DictReader(lines[start:]):
        if (row.get("Metric Name") or "").startswith("gpu__time_duration") and row.get("Metric Unit") in units:
            yield row["Kernel Name"], float(row["Metric Value"].replace(",", "")) * units[row["Metric Unit"]]


def measured_rows(rows, launched):
    """Seconds by row of the last pass of a profile, and of the kernels of libraries, which do the products and convolutions."""
    without_arguments = [name[:name.rfind(">") + 1] or name for name, _ in launched]
    names = list(check_kernels.readable(without_arguments)) if launched else []
    times = defaultdict(list)
    for name, (_, seconds) in zip(names, launched):
        times[name].append(seconds)
    measured = {}
    for (op, kernel), row in reversed(list(rows.items())):
        last = times.get(kernel, [])
        taken, times[kernel] = last[len(last) - row[0]:] if len(last) >= row[0] else [], last[:-row[0]]
        measured[op, kernel] = sum(taken) if taken else None
    return measured


def table(rows, found, launched):
    print("| op | kernel | launches | MB | GFLOP | registers | shared [B] | occupancy | predicted [us] | measured [us] |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    measured = measured_rows(rows, launched)
    total = [0, 0.0, 0.0, 0.0]
    for key, row in sorted(rows.items(), key=lambda item: -item[1][3]):
        total = [a + b for a, b in zip(total, row)]
        registers, shared = found.get(key[1], (None, None))
        if LIBRARY.match(key[1]) or registers is None:
            place = "library | | " if LIBRARY.match(key[1]) else "| | "
        else:
            place = f"{registers} | {shared} | {100 * occupancy(registers, shared):.0f} %"
        took = "" if measured[key] is None else f"{1e6 * measured[key]:.1f}"
        print(f"| {key[0]} | `{key[1]}` | {row[0]} | {row[1] / 1e6:.1f} | {row[2] / 1e9:.2f} | {place} | {1e6 * row[3]:.1f} | {took} |")
    whole = f"{1e6 * sum(seconds for _, seconds in launched):.1f}, all of the profile" if launched else ""
    print(f"| pass | | {total[0]} | {total[1] / 1e6:.1f} | {total[2] / 1e9:.2f} | | | | {1e6 * total[3]:.1f} | {whole} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("predicted", type=Path)
    parser.add_argument("--kernels", type=Path)
    parser.add_argument("--measured", type=Path)
    given = parser.parse_args()
    predicted = json.loads(given.predicted.read_text())
    rows = rows_of(predicted)
    if wrong := discrepancy(rows, predicted["pass"]):
        print(f"kernel_predictions: the rows do not add up to the pass ({wrong})", file=sys.stderr)
        return 1
    table(rows, resources(given.kernels.read_text()) if given.kernels else {},
          list(profile(given.measured.read_text())) if given.measured else [])
    return 0


if __name__ == "__main__":
    sys.exit(main())
