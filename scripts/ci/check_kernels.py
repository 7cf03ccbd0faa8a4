#!/usr/bin/env python3
"""Compiles the CUDA kernels for compute capability 8.0, 9.0, 10.0 and 12.0, as far as the toolkit knows them, and tables
their registers and memory, one kernel a line.

A kernel that spills registers or keeps an array in local memory, which is memory of the device, fails the check.
Usage: check_kernels.py [--touched | FILE ...]     all sources of src/backend/cuda without a name; exit status 77 without nvcc
  --touched   those that a change touches, an eighth of the others (touched.py), and one that has kernels in any case
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from touched import chosen_now  # noqa: E402

ENTRY = re.compile(r"Compiling entry function '(\w+)' for 'sm_(\d+)'")
MEMORY = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
REGISTERS = re.compile(r"Used (\d+) registers(?:.*?(\d+) bytes smem)?")
EACH_INDEX = re.compile(r"(?:void )?plumecast::cuda::each_index<(?:(?P<position>unsigned int|long), )?(?P<kernel>.*)>")
CAPABILITIES = (80, 90, 100, 120)
COMMAND = ("-std=c++20", "--expt-relaxed-constexpr", "-Isrc", "-Iinclude", "-Xptxas", "-v", "-c")


def compiler():
    """Path of nvcc, or None."""
    toolkit = os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin")
    return shutil.which("nvcc") or shutil.which("nvcc", path=toolkit)


def readable(names):
    """'Convert<float, bfloat16>' of each kernel that each_index runs, ', 64 bits' behind it where it counts so; the
    whole name where it is something else."""
    shown = subprocess.run(["c++filt", "--no-params"], input="\n".join(names), capture_output=True, text=True, check=True)
    for name in shown.stdout.splitlines():
        found = EACH_INDEX.fullmatch(name)
        if not found:
            yield name
            continue
        kernel = re.sub(r"plumecast::(cuda::|kernel::)*|\(bool\)|\(?\b(int|long)\b\)?(?=\d)", "", found.group("kernel"))
        width = {"unsigned int": "", "long": ", 64 bits", None: ""}[found.group("position")]
        yield kernel.replace(" >", ">").strip() + width


def kernels(report):
    """(name, capability, registers, bytes of shared memory, of local memory, bytes spilled) of every kernel that ptxas names."""
    readable_names = iter(list(readable([name for name, _ in ENTRY.findall(report)])))
    name, capability, local, spilled = None, 0, 0, 0
    for line in report.splitlines():
        if entry := ENTRY.search(line):
            name, capability, local, spilled = next(readable_names), int(entry.group(2)), 0, 0
        elif memory := MEMORY.search(line):
            local, spilled = int(memory.group(1)), int(memory.group(2)) + int(memory.group(3))
        elif name and (used := REGISTERS.search(line)):
            yield name, capability, int(used.group(1)), int(used.group(2) or 0), local, spilled
            name = None


def targets(nvcc):
    """Options for the capabilities that a compiler knows."""
    known = subprocess.run([nvcc, "--list-gpu-code"], capture_output=True, text=True, check=True).stdout.split()
    newer = [f"sm_{a}" for a in CAPABILITIES[1:] if f"sm_{a}" in known]  # no source asks for more than 8.0: one translation for all
    first, second = CAPABILITIES[:2]
    return [f"-gencode=arch=compute_{first},code=sm_{first}", f"-gencode=arch=compute_{second},code=[{','.join(newer)}]"]


def compiled(nvcc, source):
    """What ptxas says of a source; raises CalledProcessError when it does not compile."""
    cache = [found for found in [shutil.which("ccache")] if found]  # keeps what the compiler says, too
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([*cache, nvcc, *COMMAND, *targets(nvcc), str(source), "-o", f"{folder}/{source.stem}.o"],
                              capture_output=True, text=True, check=True)
    return done.stderr + done.stdout


def wanted(arguments):
    """The sources that the command line asks for."""
    every = sorted(Path("src/backend/cuda").rglob("*.cu"))
    if arguments == ["--touched"]:
        return sorted({*chosen_now(every), Path("src/backend/cuda/adam.cu")})  # without kernels the check would fail
    return [Path(name) for name in arguments] or every


def main():
    nvcc = compiler()
    if nvcc is None:
        print("no nvcc; the kernels were not compiled")
        return 77
    sources = wanted(sys.argv[1:])
    bad = total = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, report in zip(sources, pool.map(lambda one: compiled(nvcc, one), sources)):
            for name, capability, registers, shared, local, spilled in kernels(report):
                total += 1
                fault = " FAULT" if local or spilled else ""
                bad += bool(fault)
                print(f"{source.stem:12} {capability:4} {name:64} {registers:4} registers {shared:6} B shared {local:4} B local {spilled:4} B spilled{fault}")
    print(f"kernels: {bad} of {total} use local memory" if bad else f"kernels: none of {total} uses local memory")
    return 1 if bad or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
