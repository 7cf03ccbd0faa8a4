#!/usr/bin/env python3
"""Compiles the CUDA kernels for compute capability 8.0 and tables their registers and memory, one kernel a line.

A kernel that spills registers or keeps an array in local memory, which is memory of the device, fails the check.
Usage: check_kernels.py [FILE ...]     all sources of src/backend/cuda without a name; exit status 77 without nvcc
"""
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ENTRY = re.compile(r"Compiling entry function '(\w+)'")
MEMORY = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
REGISTERS = re.compile(r"Used (\d+) registers")
COMMAND = ("-std=c++20", "--expt-relaxed-constexpr", "-Isrc", "-Iinclude", "-arch=sm_80", "-cubin", "-Xptxas", "-v")


def compiler():
    """Path of nvcc, or None."""
    toolkit = os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin")
    return shutil.which("nvcc") or shutil.which("nvcc", path=toolkit)


def readable(mangled):
    """'Add<float, bfloat16>' of the kernel that each_index runs; the whole name where it is something else."""
    kernel = re.search(r"6kernel(\d+)(\w+)", mangled)
    if not kernel:
        return mangled
    length = int(kernel.group(1))
    name, rest = kernel.group(2)[:length], kernel.group(2)[length:]
    if not rest.startswith("I"):
        return name
    types = {"f": "float", "d": "double", "NS_8bfloat16E": "bfloat16", "S3_": "bfloat16", "S4_": "bfloat16"}
    arguments, rest = [], rest[1:]
    while found := next((code for code in types if rest.startswith(code)), None):
        arguments.append(types[found])
        rest = rest[len(found):]
    return f"{name}<{', '.join(arguments)}>"


def kernels(report):
    """(name, registers, bytes of local memory, bytes spilled) of every kernel in what ptxas says."""
    name, local, spilled = None, 0, 0
    for line in report.splitlines():
        if entry := ENTRY.search(line):
            name, local, spilled = readable(entry.group(1)), 0, 0
        elif memory := MEMORY.search(line):
            local, spilled = int(memory.group(1)), int(memory.group(2)) + int(memory.group(3))
        elif name and (used := REGISTERS.search(line)):
            yield name, int(used.group(1)), local, spilled
            name = None


def compiled(nvcc, source):
    """What ptxas says of a source; raises CalledProcessError when it does not compile."""
    done = subprocess.run([nvcc, *COMMAND, str(source), "-o", os.devnull], capture_output=True, text=True, check=True)
    return done.stderr + done.stdout


def main():
    nvcc = compiler()
    if nvcc is None:
        print("no nvcc; the kernels were not compiled")
        return 77
    sources = [Path(name) for name in sys.argv[1:]] or sorted(Path("src/backend/cuda").rglob("*.cu"))
    bad = total = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, report in zip(sources, pool.map(lambda one: compiled(nvcc, one), sources)):
            for name, registers, local, spilled in kernels(report):
                total += 1
                fault = " FAULT" if local or spilled else ""
                bad += bool(fault)
                print(f"{source.stem:12} {name:44} {registers:4} registers {local:4} B local {spilled:4} B spilled{fault}")
    print(f"kernels: {bad} of {total} use local memory" if bad else f"kernels: none of {total} uses local memory")
    return 1 if bad or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
